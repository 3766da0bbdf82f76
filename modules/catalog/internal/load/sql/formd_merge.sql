-- The editions of notices that are restated, before they are overwritten: those that could be seen.
INSERT INTO catalog.replaced_offerings (accession, said, issuers, file_number, previous_accession, name_keys, relinked, processed_at)
SELECT o.accession, to_jsonb(o) - 'row_hash', coalesce(i.rows, '[]'), o.file_number, o.previous_accession, coalesce(i.keys, '{}'),
       m.state = 'changed' AND (s.file_number <> o.file_number OR s.previous_accession <> o.previous_accession) IS TRUE, o.processed_at
FROM m_offering m JOIN s_offering s USING (accession) JOIN catalog.offerings o USING (accession)
LEFT JOIN LATERAL (
    SELECT jsonb_agg(to_jsonb(i) ORDER BY i.seq) AS rows, array_agg(i.name_key) FILTER (WHERE i.name_key IS NOT NULL) AS keys
    FROM catalog.offering_issuers i WHERE i.accession = o.accession
) i ON true
WHERE m.state IN ('changed', 'completed') AND o.processed_at < catalog.current_processing();

UPDATE catalog.offerings o
SET previous_accession = coalesce(o.previous_accession, s.previous_accession), sic_code = coalesce(o.sic_code, s.sic_code),
    schema_version = coalesce(o.schema_version, s.schema_version), processed_at = catalog.current_processing()
FROM m_offering m JOIN s_offering s USING (accession)
WHERE m.state = 'completed' AND o.accession = m.accession;

UPDATE catalog.offerings o
SET ($columns$, file_number, previous_accession, sic_code, schema_version, document, run_id, processed_at, row_hash)
    = ROW($s_columns$, coalesce(s.file_number, o.file_number), coalesce(s.previous_accession, o.previous_accession),
          coalesce(s.sic_code, o.sic_code), coalesce(s.schema_version, o.schema_version), s.document, s.run_id, catalog.current_processing(), m.digest)
FROM m_offering m JOIN s_offering s USING (accession)
WHERE m.state = 'changed' AND o.accession = m.accession;

INSERT INTO catalog.offerings ($offering_columns$)
SELECT $s_offering_columns$
FROM m_offering m JOIN s_offering s USING (accession)
WHERE m.state = 'new' ORDER BY s.accession COLLATE "C";

-- The children of a restated notice are written again.
DELETE FROM catalog.offering_issuers c USING m_offering m WHERE m.state = 'changed' AND c.accession = m.accession;
DELETE FROM catalog.offering_people c USING m_offering m WHERE m.state = 'changed' AND c.accession = m.accession;
DELETE FROM catalog.offering_recipients c USING m_offering m WHERE m.state = 'changed' AND c.accession = m.accession;

INSERT INTO catalog.offering_issuers ($issuer_columns$)
SELECT $c_issuer_columns$
FROM s_issuer c JOIN m_offering m USING (accession)
WHERE m.state IN ('new', 'changed') ORDER BY m.accession COLLATE "C", c.seq;

INSERT INTO catalog.offering_people ($person_columns$)
SELECT $c_person_columns$
FROM s_person c JOIN m_offering m USING (accession)
WHERE m.state IN ('new', 'changed') ORDER BY m.accession COLLATE "C", c.seq;

INSERT INTO catalog.offering_recipients ($recipient_columns$)
SELECT $c_recipient_columns$
FROM s_recipient c JOIN m_offering m USING (accession)
WHERE m.state IN ('new', 'changed') ORDER BY m.accession COLLATE "C", c.seq;
