-- The filings of the affected advisers in every edition, with the adviser's version, in the order of advisers. Only withdrawals are taken back: the
-- editions before stay, without a filing.
SELECT f.crd, f.accession, f.source AS doc_source, f.form_type, f.amendment_type, f.filing_date, f.submitted_at,
       coalesce(f.filing_id, 0) AS filing_id, f.funds_listed, coalesce(w.is_full, false) AS is_full,
       v.crd IS NOT NULL AS says, f.processed_at, timestamptz '0001-01-01 00:00:00Z' AS replaced_at, coalesce(v.legal_name, '') AS legal_name, $v_columns$, v.silent
FROM t_crd JOIN catalog.filings f USING (crd)
LEFT JOIN catalog.adviser_versions v ON v.crd = f.crd AND v.accession = f.accession
LEFT JOIN catalog.withdrawals w ON w.accession = f.accession
UNION ALL
SELECT r.crd, r.accession, coalesce(f.source, 'advw'), coalesce(f.form_type, 'ADV-W'), coalesce(f.amendment_type, 'withdrawal'), r.filing_date, r.submitted_at,
       CASE WHEN f.accession IS NULL THEN split_part(r.accession, '-', 3)::bigint ELSE coalesce(f.filing_id, 0) END, r.funds_listed, coalesce((r.said ->> 'is_full')::boolean, false),
       r.said ? 'legal_name', r.processed_at, r.replaced_at, coalesce(v.legal_name, ''), $v_columns$, v.silent
FROM t_crd JOIN catalog.replaced_versions r USING (crd) LEFT JOIN catalog.filings f USING (accession),
     jsonb_populate_record(null::catalog.adviser_versions, r.said) v
WHERE r.fund_id = ''
ORDER BY 1
