-- Filings that a newer edition repeats as they were.
UPDATE catalog.filings f SET edition = s.edition
FROM m_filing m JOIN s_filing s USING (accession)
WHERE m.state = 'same' AND f.accession = m.accession AND coalesce(f.edition < s.edition, s.edition IS NOT NULL);
