SELECT count(*) AS total, count(*) FILTER (WHERE newest_filed_on < @before::date) AS stale
FROM catalog.pub_gp WHERE withdrawn_on IS NULL AND not_listed_since IS NULL
