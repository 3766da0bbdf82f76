-- Keeps the types of restated filings, where the document lacks their table.
UPDATE s_filing x SET filing_types = f.filing_types FROM m_filing m JOIN catalog.filings f USING (accession)
WHERE m.accession = x.accession AND m.state = 'changed'
