-- A restated filing replaces what its earlier edition said. Funds that were listed once stay listed.
UPDATE catalog.filings f
SET filing_date = s.filing_date, submitted_at = s.submitted_at, filing_types = x.filing_types,
    funds_listed = f.funds_listed OR s.funds_listed, document = $document$, run_id = $run$, processed_at = now()
FROM m_filing m JOIN s_filing s USING (no) JOIN s_extra x USING (no)
WHERE m.state = 'changed' AND f.accession = m.accession;

-- form_type and amendment_type depend on the filings around this one: chain.sql sets them.
INSERT INTO catalog.filings (accession, crd, source, filing_id, form_type, amendment_type, filing_date, submitted_at,
                             filing_types, funds_listed, document, run_id)
SELECT s.accession, s.crd, s.source, s.filing_id, 'ADV/A', 'material', s.filing_date, s.submitted_at,
       x.filing_types, s.funds_listed, $document$, $run$
FROM m_filing m JOIN s_filing s USING (no) JOIN s_extra x USING (no)
WHERE m.state = 'new';
