-- GPs that were listed 31 days ago or are now, and have not withdrawn: those of whom vanished_advisers counts the ones that are gone.
SELECT count(*) FROM catalog.pub_gp WHERE withdrawn_on IS NULL AND (not_listed_since IS NULL OR not_listed_since > @day::date - 31)
