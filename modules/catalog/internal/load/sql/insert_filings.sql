INSERT INTO catalog.filings (accession, crd, source, filing_id, form_type, amendment_type, filing_date, submitted_at,
                             filing_types, funds_listed, document, run_id)
SELECT s.accession, s.crd, s.source, s.filing_id, t.form_type, t.amendment_type, s.filing_date, s.submitted_at,
       x.filing_types, s.funds_listed, $document$, $run$
FROM m_filing m JOIN s_filing s USING (no) JOIN s_extra x USING (no) JOIN t_chain t ON t.accession = m.accession
WHERE m.state = 'new' ORDER BY m.no;
