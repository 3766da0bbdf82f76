CREATE TEMP TABLE m_filing ON COMMIT DROP AS
SELECT s.accession, s.crd, s.funds_listed, n.row_hash AS digest,
       CASE WHEN v.accession IS NULL THEN 'new' WHEN v.row_hash = n.row_hash THEN 'same' ELSE 'changed' END AS state
FROM s_filing s
JOIN s_version n USING (accession)
LEFT JOIN catalog.adviser_versions v ON v.crd = s.crd AND v.accession = s.accession;
ANALYZE m_filing;
