SELECT f.accession, f.crd::bigint, f.source, f.filing_date, f.submitted_at, f.filing_id, f.funds_listed,
	v.street1, v.city, v.state, v.country, v.postal_code, v.private_residence, v.silent
FROM {{adviser versions}} v JOIN {{filings}} USING (accession) WHERE f.crd = ANY (@crds)
