-- GPs that the lists of the last 31 days no longer name, though they have not withdrawn.
SELECT '' AS dimension, crd, 'not listed since ' || not_listed_since AS detail, 1::bigint AS weight
FROM catalog.pub_gp WHERE withdrawn_on IS NULL AND not_listed_since > @day::date - 31
