-- Where advisers said that they sit.
SELECT v.crd, v.accession, f.source AS doc_source, f.filing_date, f.submitted_at, coalesce(f.filing_id, 0) AS filing_id,
       v.street1, v.city, v.state, v.country, v.postal_code, v.private_residence, v.silent
FROM catalog.adviser_versions v JOIN catalog.filings f ON f.accession = v.accession
WHERE v.crd = ANY (@crds)
