(
	SELECT f.accession, f.crd, f.source, f.filing_date, f.submitted_at, coalesce(f.filing_id, 0) AS filing_id, f.funds_listed
	FROM catalog.filings f WHERE f.form_type IN ('ADV', 'ADV/A') AND f.filing_date <= @day
) f
