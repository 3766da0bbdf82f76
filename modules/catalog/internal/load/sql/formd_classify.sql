-- Two editions of one notice: the quarterly set knows the file number, a single primary_doc.xml does not. The edition with
-- the number is the whole notice, children too; the other one only completes its heading (previous accession, SIC code,
-- schema version). Of editions of one kind the one loaded last counts, and parts of the heading that only the earlier
-- one has are kept. So no order of loading loses anything, and all orders have the same result.
-- Spec: not shown; the content of two editions is not mixed, because the mixture would be a list of people that no adviser
-- filed.
CREATE TEMP TABLE m_offering ON COMMIT DROP AS
SELECT s.accession, s.row_hash AS digest,
       CASE
           WHEN o.accession IS NULL THEN 'new'
           WHEN o.row_hash = s.row_hash THEN 'same'
           WHEN s.file_number IS NOT NULL OR o.file_number IS NULL THEN 'changed'
           WHEN o.previous_accession IS NULL AND s.previous_accession IS NOT NULL
                OR o.sic_code IS NULL AND s.sic_code IS NOT NULL
                OR o.schema_version IS NULL AND s.schema_version IS NOT NULL THEN 'completed'
           ELSE 'same'
       END AS state
FROM s_offering s LEFT JOIN catalog.offerings o USING (accession);
ANALYZE m_offering;
