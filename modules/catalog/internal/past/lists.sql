SELECT f.accession, f.crd::bigint, f.source, f.filing_date, f.submitted_at, f.filing_id, f.funds_listed
FROM {{filings}} WHERE f.funds_listed
