-- Lists the filings that report a fund, whoever filed them, and the Form D notices that match it. gp.sql says which evidence
-- of a filing is kept, and what a notice is.
--
-- Spec: not shown; what an amendment is to a fund. The first filing that reports it is initial, though it may be an
-- amendment of its adviser's; the others are what they are to their adviser.
WITH weighed AS (
		SELECT *, array_position(ARRAY['fund_list', 'roster', 'iapd_feed', 'adv_archive'], source) AS weight
		FROM catalog.pub_fund_filing WHERE fund_id = @key
	),
	filed AS (
		SELECT * FROM (SELECT *, max(weight) OVER (PARTITION BY crd, filing_date) AS best FROM weighed) known
		WHERE weight IS NULL OR weight = best
	),
	listed AS (
		SELECT accession, form_type,
			CASE row_number() OVER (ORDER BY version_order) WHEN 1 THEN 'initial' ELSE amendment_type END AS amendment_type,
			filing_date, status, processed_at, source, version_order
		FROM filed
		UNION ALL
		SELECT DISTINCT accession, form_type, CASE form_type WHEN 'D' THEN 'initial' ELSE 'material' END,
			filing_date, status, processed_at, 'form_d', version_order
		FROM catalog.pub_offering WHERE fund_id = @key
	)
SELECT accession, form_type, amendment_type, filing_date, status, processed_at, source, count(*) OVER () AS total
FROM listed ORDER BY version_order DESC LIMIT @limit
