CREATE TEMP TABLE m_filing ON COMMIT DROP AS
SELECT s.no, s.accession, s.crd, s.funds_listed, x.digest,
       CASE WHEN v.accession IS NULL THEN 'new' WHEN v.row_hash = x.digest THEN 'same' ELSE 'changed' END AS state
FROM s_filing s
JOIN s_extra x USING (no)
LEFT JOIN catalog.adviser_versions v ON v.crd = s.crd AND v.accession = s.accession;
ANALYZE m_filing;
