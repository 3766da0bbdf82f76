-- GPs whose legal name was changed and, in the last 31 days, changed back within a year. Letter case alone is no change: rosters use capitals.
WITH candidates AS (
	SELECT DISTINCT crd FROM catalog.pub_filing WHERE filing_date > @day::date - 31
), versions AS (
	SELECT crd, legal_name, filing_date, version_order, lag(legal_name) OVER (PARTITION BY crd ORDER BY version_order) AS before
	FROM catalog.pub_gp_version JOIN candidates USING (crd)
), changes AS (
	SELECT crd, legal_name, before, filing_date, lag(before) OVER w AS first_name, lag(filing_date) OVER w AS changed_on
	FROM versions WHERE lower(before) <> lower(legal_name) WINDOW w AS (PARTITION BY crd ORDER BY version_order)
)
SELECT '' AS dimension, crd, legal_name || ' became ' || before || ' on ' || changed_on || ' and changed back on ' || filing_date AS detail, 1::bigint AS weight
FROM changes WHERE lower(first_name) = lower(legal_name) AND filing_date > @day::date - 31 AND changed_on > filing_date - 366
