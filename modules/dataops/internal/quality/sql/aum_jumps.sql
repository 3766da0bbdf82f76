-- GPs whose newest filing, of the last 31 days, reports more than ten times the AUM of the one before it, or less than a tenth. Exempt advisers
-- file no regulatory assets, mostly none at all, so a filing as one is compared with none before or after it: see catalogapi.AssetsDiffer.
WITH candidates AS (
	SELECT DISTINCT crd FROM catalog.pub_filing WHERE filing_date > @day::date - 31
), steps AS (
	SELECT v.crd, v.raum, v.registration, lag(v.raum) OVER w AS before, lag(v.registration) OVER w AS registration_before, v.filing_date, row_number() OVER (PARTITION BY v.crd ORDER BY v.version_order DESC) AS back
	FROM catalog.pub_gp_version v JOIN candidates USING (crd) WHERE v.raum > 0 OR v.registration = 'exempt_reporting'
	WINDOW w AS (PARTITION BY v.crd ORDER BY v.version_order)
)
SELECT '' AS dimension, crd, 'AUM ' || before || ' became ' || raum || ' on ' || filing_date AS detail, 1::bigint AS weight
FROM steps WHERE back = 1 AND filing_date > @day::date - 31 AND (raum > before * 10 OR before > raum * 10)
	AND 'exempt_reporting' NOT IN (coalesce(registration, ''), coalesce(registration_before, ''))
