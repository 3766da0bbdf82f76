-- GPs of which a field is not known.
SELECT f.name AS dimension, g.crd, f.name || ' is not known' AS detail, 1::bigint AS weight
FROM catalog.pub_gp g CROSS JOIN LATERAL (VALUES
	('city', g.city IS NULL), ('country', g.country_code IS NULL), ('website', g.website IS NULL), ('total_aum', g.total_aum IS NULL),
	('employee_count', g.employee_count IS NULL), ('fund_count', g.fund_count IS NULL),
	('primary_strategy', g.primary_strategy IS NULL AND g.fund_count > 0), ('registration_status', g.registration_status IS NULL)
) AS f (name, missing)
WHERE f.missing AND g.withdrawn_on IS NULL AND g.not_listed_since IS NULL
