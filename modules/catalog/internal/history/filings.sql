SELECT f.accession, f.crd, f.source AS doc_source, f.form_type, f.amendment_type, f.filing_date, f.submitted_at,
	coalesce(f.filing_id, 0) AS filing_id, f.funds_listed, coalesce(w.is_full, false) AS is_full, false AS restated
FROM catalog.filings f LEFT JOIN catalog.withdrawals w USING (accession) WHERE f.crd = ANY (@crds) AND f.processed_at <= @known
UNION ALL
SELECT f.accession, f.crd, f.source, f.form_type, f.amendment_type, r.filing_date, r.submitted_at,
	coalesce(f.filing_id, 0), r.funds_listed, coalesce((r.said ->> 'is_full')::boolean, false), true
FROM catalog.replaced_versions r JOIN catalog.filings f USING (accession)
WHERE r.crd = ANY (@crds) AND r.fund_id = '' AND r.processed_at <= @known AND r.replaced_at > @known
