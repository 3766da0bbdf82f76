-- Who has left: advisers that have withdrawn or are in no list any more, and funds that are no longer reported.
SELECT (SELECT count(*) FROM catalog.pub_gp WHERE withdrawn_on IS NOT NULL OR not_listed_since IS NOT NULL) AS advisers,
       (SELECT count(*) FROM catalog.pub_fund WHERE status = 'closed') AS funds
