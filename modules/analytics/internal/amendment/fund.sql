-- Lists the filings that report a fund, whoever filed them, and the Form D notices that match it. As in catalog.pub_listed_filing, only the
-- best evidence of an adviser's filing of a day is listed: see catalogapi.Steps. What does not report the fund is no evidence here.
--
-- Spec: not shown; what an amendment is to a fund. The first filing that reports it is initial, though it may be an
-- amendment of its adviser's; the others are what they are to their adviser.
WITH filed AS (
		SELECT *, max((version_order).authority) OVER (PARTITION BY crd, filing_date) AS best
		FROM catalog.pub_fund_filing WHERE fund_id = @key
	),
	listed AS (
		SELECT accession, form_type, CASE row_number() OVER (ORDER BY version_order) WHEN 1 THEN 'initial' ELSE amendment_type END AS amendment_type,
			filing_date, status, processed_at, source, version_order
		FROM filed WHERE (version_order).authority = best
		UNION ALL
		SELECT accession, form_type, amendment_type, filing_date, status, processed_at, 'form_d', version_order
		FROM catalog.pub_offering WHERE fund_id = @key
	)
SELECT accession, form_type, amendment_type, filing_date, status, processed_at, source, count(*) OVER () AS total
FROM listed ORDER BY version_order DESC LIMIT @limit
