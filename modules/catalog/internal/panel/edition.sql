-- The newest edition of a filing of {{crd}} that states the list @list, filed up to @day and known at @known (infinity: those that stand).
-- The loader chooses the same filing for each role of a service (load/derive_services.go; TestListsAgreeWithSearches).
-- An edition that was replaced later has the instant of it. Its form is that of today: see Store.Forms.
SELECT e.accession, e.filing_date, e.replaced_at, e.form_type,
	catalog.order_version('adv_archive', e.filing_date, e.submitted_at, e.filing_id, e.accession) AS version_order
FROM (
	SELECT f.accession, f.crd, f.form_type, f.filing_date, f.submitted_at, f.filing_id, v.silent, NULL::timestamptz AS replaced_at
	FROM catalog.filings f JOIN catalog.adviser_versions v ON v.crd = f.crd AND v.accession = f.accession
	WHERE f.crd = {{crd}} AND f.source = 'adv_archive' AND f.processed_at <= @known
	UNION ALL
	SELECT r.accession, r.crd, f.form_type, r.filing_date, r.submitted_at, f.filing_id,
		ARRAY(SELECT jsonb_array_elements_text(CASE jsonb_typeof(r.said -> 'silent') WHEN 'array' THEN r.said -> 'silent' ELSE '[]' END)), r.replaced_at
	FROM catalog.replaced_versions r JOIN catalog.filings f USING (accession)
	WHERE @known::timestamptz < 'infinity' AND r.crd = {{crd}} AND r.fund_id = '' AND f.source = 'adv_archive' AND r.processed_at <= @known AND r.replaced_at > @known
) e
WHERE e.filing_date <= @day AND (e.silent IS NULL OR @list <> ALL (e.silent))
ORDER BY version_order DESC LIMIT 1
