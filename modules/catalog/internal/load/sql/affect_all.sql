CREATE TEMP TABLE t_filing ON COMMIT DROP AS
SELECT f.accession, f.crd, f.source, f.filing_date, f.submitted_at, f.filing_id, f.filing_types, v.fiscal_year_end
FROM catalog.filings f
LEFT JOIN catalog.adviser_versions v ON v.crd = f.crd AND v.accession = f.accession
WHERE f.form_type IN ('ADV', 'ADV/A');
CREATE TEMP TABLE t_crd ON COMMIT DROP AS SELECT DISTINCT crd FROM catalog.filings;
CREATE TEMP TABLE t_fund ON COMMIT DROP AS SELECT fund_id FROM catalog.fund_versions UNION SELECT fund_id FROM catalog.funds;
ANALYZE t_crd;
ANALYZE t_fund;
