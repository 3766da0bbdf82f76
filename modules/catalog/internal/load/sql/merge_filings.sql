-- All filings of the advisers whose filings are new or changed, as they are after the merge.
CREATE TEMP TABLE t_filing ON COMMIT DROP AS
SELECT f.accession, f.crd, f.source, f.filing_date, f.submitted_at, f.filing_id, f.filing_types, v.fiscal_year_end
FROM (SELECT DISTINCT crd FROM m_filing WHERE state <> 'same') c
JOIN catalog.filings f USING (crd)
LEFT JOIN catalog.adviser_versions v ON v.crd = f.crd AND v.accession = f.accession
WHERE f.form_type IN ('ADV', 'ADV/A')
  AND NOT EXISTS (SELECT 1 FROM m_filing m WHERE m.accession = f.accession AND m.state IN ('new', 'changed'))
UNION ALL
SELECT s.accession, s.crd, s.source, s.filing_date, s.submitted_at, s.filing_id, s.filing_types, n.fiscal_year_end
FROM m_filing m JOIN s_filing s USING (accession) JOIN s_version n USING (accession)
WHERE m.state IN ('new', 'changed');

-- A restated filing replaces its earlier edition. Funds that were listed once stay listed.
UPDATE catalog.filings f
SET filing_date = s.filing_date, submitted_at = s.submitted_at, filing_types = s.filing_types,
    funds_listed = f.funds_listed OR s.funds_listed, document = s.document, run_id = s.run_id, processed_at = catalog.current_processing(),
    edition = greatest(f.edition, s.edition)
FROM m_filing m JOIN s_filing s USING (accession)
WHERE m.state = 'changed' AND f.accession = m.accession;
-- An older edition only adds what the newer one is silent about.
UPDATE catalog.filings f SET processed_at = catalog.current_processing() FROM m_filing m WHERE m.state = 'completed' AND f.accession = m.accession;
