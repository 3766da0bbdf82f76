-- The filings of the affected advisers with what they say of them, adviser by adviser.
SELECT f.crd, f.accession, f.source AS doc_source, f.form_type, f.amendment_type, f.filing_date, f.submitted_at,
       coalesce(f.filing_id, 0) AS filing_id, f.funds_listed, coalesce(w.is_full, false) AS is_full,
       v.crd IS NOT NULL AS says, coalesce(v.legal_name, '') AS legal_name, $v_columns$, v.silent
FROM t_crd JOIN catalog.filings f USING (crd)
LEFT JOIN catalog.adviser_versions v ON v.crd = f.crd AND v.accession = f.accession
LEFT JOIN catalog.withdrawals w ON w.accession = f.accession
ORDER BY f.crd
