INSERT INTO catalog.filings (accession, crd, source, filing_id, form_type, amendment_type, filing_date, submitted_at,
                             filing_types, funds_listed, document, run_id, edition)
SELECT s.accession, s.crd, s.source, s.filing_id, t.form_type, t.amendment_type, s.filing_date, s.submitted_at,
       s.filing_types, s.funds_listed, s.document, s.run_id, s.edition
FROM $filings$ s JOIN t_chain t USING (accession);
