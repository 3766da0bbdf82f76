SELECT f.accession, f.crd::bigint, f.source, f.filing_date, f.submitted_at, f.filing_id, f.funds_listed,
	v.legal_name, v.registration, v.street1, v.city, v.state, v.country, v.postal_code, v.private_residence, v.raum,
	v.raum_discretionary, v.raum_non_discretionary, v.advises_funds,
	v.reported_fund_count, v.reported_fund_gav, v.reported_fund_types::text, v.silent
FROM {{adviser versions}} v JOIN {{filings}} USING (accession) ORDER BY 2
