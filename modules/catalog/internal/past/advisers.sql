SELECT f.accession, f.crd::bigint, f.source, f.filing_date, f.submitted_at, f.filing_id, f.funds_listed,
	v.legal_name, v.registration, v.city, v.state, v.country, v.private_residence, v.raum, v.advises_funds,
	v.reported_fund_count, v.reported_fund_gav, v.silent
FROM {{adviser versions}} v JOIN {{filings}} USING (accession) ORDER BY 2
