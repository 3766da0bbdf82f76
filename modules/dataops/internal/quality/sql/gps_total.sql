-- GPs that are listed and have not withdrawn.
SELECT count(*) FROM catalog.pub_gp WHERE withdrawn_on IS NULL AND not_listed_since IS NULL
