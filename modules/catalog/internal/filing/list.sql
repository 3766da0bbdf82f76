-- Lists the filings of an adviser: its own, and the Form D notices that match its funds, each once however many funds it
-- matches. Without @form all forms, without @year all years.
--
-- A row of a roster, the feed of firms or a list of funds is evidence of a filing of its day. Only the best evidence of a day is
-- listed, and none beside the filing itself, as in /amendments. A Form ADV-W is a filing of its own: it has no weight.
--
-- Spec: not shown; a notice of Form D is initial, its amendment (D/A) material. EDGAR's data sets give the day of filing and
-- no time: midnight UTC, as for all days here.
WITH weighed AS (
	SELECT *, array_position(ARRAY['fund_list', 'roster', 'iapd_feed', 'adv_archive'], source) AS weight
	FROM catalog.filings WHERE crd = @crd
), filed AS (
	SELECT * FROM (SELECT *, max(weight) OVER (PARTITION BY filing_date) AS best FROM weighed) known
	WHERE weight IS NULL OR weight = best
), listed AS (
	SELECT f.accession, f.source, f.filing_id, f.form_type, f.amendment_type, f.filing_date, f.submitted_at,
		f.funds_listed, f.document, f.status, coalesce(a.known_at, f.processed_at) AS processed_at,
		catalog.order_version(f.source, f.filing_date, f.submitted_at, f.filing_id, f.accession) AS version_order
	FROM filed f LEFT JOIN catalog.arrivals a USING (processed_at)
	UNION ALL
	SELECT DISTINCT o.accession, 'form_d', NULL::bigint, o.form_type, CASE o.form_type WHEN 'D' THEN 'initial' ELSE 'material' END,
		o.filing_date, o.filing_date::timestamp AT TIME ZONE 'UTC', false, o.document, o.status, coalesce(a.known_at, o.processed_at),
		catalog.order_version('form_d', o.filing_date, o.filing_date::timestamp AT TIME ZONE 'UTC', NULL, o.accession)
	FROM catalog.funds f JOIN catalog.offering_funds l USING (fund_id) JOIN catalog.offerings o USING (accession)
	LEFT JOIN catalog.arrivals a USING (processed_at)
	WHERE f.adviser_crd = @crd
)
SELECT accession, source, filing_id, form_type, amendment_type, filing_date, submitted_at, funds_listed, document, status, processed_at,
	count(*) OVER () AS total
FROM listed
WHERE (@form = '' OR form_type = @form) AND (@year::int = 0 OR extract(year FROM filing_date) = @year::int)
ORDER BY version_order DESC LIMIT @limit OFFSET @offset
