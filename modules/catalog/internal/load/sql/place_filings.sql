SELECT crd, accession, source AS doc_source, filing_date, submitted_at, coalesce(filing_id, 0) AS filing_id, filing_types, fiscal_year_end
FROM $filings$ f ORDER BY crd
