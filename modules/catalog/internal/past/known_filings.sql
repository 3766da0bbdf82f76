(
	SELECT f.accession, f.crd, f.source, f.filing_date, f.submitted_at, coalesce(f.filing_id, 0) AS filing_id, f.funds_listed
	FROM catalog.filings f WHERE f.form_type IN ('ADV', 'ADV/A') AND f.filing_date <= @day AND f.processed_at <= @known
	UNION ALL
	SELECT f.accession, f.crd, f.source, r.filing_date, r.submitted_at, coalesce(f.filing_id, 0), r.funds_listed
	FROM catalog.replaced_versions r JOIN catalog.filings f USING (accession)
	WHERE f.form_type IN ('ADV', 'ADV/A') AND r.fund_id = '' AND r.processed_at <= @known AND r.replaced_at > @known AND r.filing_date <= @day
) f
