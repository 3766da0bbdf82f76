-- The names of the affected funds and the filings that state them. The newest filing decides.
SELECT v.fund_id, v.name, v.accession, f.crd, f.source AS doc_source, f.filing_date, f.submitted_at, coalesce(f.filing_id, 0) AS filing_id
FROM catalog.fund_versions v $of_funds$ JOIN catalog.filings f ON f.accession = v.accession
