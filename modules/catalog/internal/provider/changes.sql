-- Changes of providers in filings of the days @from to @to, the newest first, behind the row at which a page ended.
SELECT c.crd, a.legal_name, c.accession, c.seq, c.filing_date, c.role, c.before, c.after, cardinality(c.funds) AS changed, c.funds_in_filing
FROM catalog.provider_changes c JOIN catalog.advisers a USING (crd)
WHERE c.filing_date BETWEEN @from AND @to{{where}}
ORDER BY c.filing_date DESC, c.accession DESC, c.seq DESC LIMIT @limit
