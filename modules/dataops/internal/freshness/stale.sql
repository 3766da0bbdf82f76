SELECT crd, legal_name, registration_status, total_aum, newest_filed_on, (@today::date - newest_filed_on)::bigint AS days
FROM catalog.pub_gp
WHERE withdrawn_on IS NULL AND not_listed_since IS NULL AND newest_filed_on < @before::date
ORDER BY newest_filed_on, crd LIMIT @limit
