-- Lists the filings of an adviser and the Form D notices that match its funds, each once however many funds it matches.
--
-- A row of a roster, the feed of firms or a list of funds is evidence of a filing of its day. Only the best evidence of a
-- day is kept, and none beside the filing itself. A Form ADV-W is a filing of its own: it has no weight.
--
-- Spec: not shown; a Form D notice is initial and its amendment (D/A) material, as in the list of filings.
WITH weighed AS (
		SELECT *, array_position(ARRAY['fund_list', 'roster', 'iapd_feed', 'adv_archive'], source) AS weight
		FROM catalog.pub_filing WHERE crd = @key
	),
	filed AS (
		SELECT * FROM (SELECT *, max(weight) OVER (PARTITION BY crd, filing_date) AS best FROM weighed) known
		WHERE weight IS NULL OR weight = best
	),
	listed AS (
		SELECT accession, form_type, amendment_type, filing_date, status, processed_at, source, version_order FROM filed
		UNION ALL
		SELECT DISTINCT accession, form_type, CASE form_type WHEN 'D' THEN 'initial' ELSE 'material' END,
			filing_date, status, processed_at, 'form_d', version_order
		FROM catalog.pub_offering WHERE adviser_crd = @key
	)
SELECT accession, form_type, amendment_type, filing_date, status, processed_at, source, count(*) OVER () AS total
FROM listed ORDER BY version_order DESC LIMIT @limit
