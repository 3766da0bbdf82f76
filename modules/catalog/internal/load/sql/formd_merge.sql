UPDATE catalog.offerings o
SET previous_accession = coalesce(o.previous_accession, s.previous_accession), sic_code = coalesce(o.sic_code, s.sic_code),
    schema_version = coalesce(o.schema_version, s.schema_version), processed_at = now()
FROM m_offering m JOIN s_offering s USING (no)
WHERE m.state = 'completed' AND o.accession = m.accession;

UPDATE catalog.offerings o
SET ($columns$, file_number, previous_accession, sic_code, schema_version, document, run_id, processed_at, row_hash)
    = ROW($s_columns$, coalesce(s.file_number, o.file_number), coalesce(s.previous_accession, o.previous_accession),
          coalesce(s.sic_code, o.sic_code), coalesce(s.schema_version, o.schema_version), $document$, $run$, now(), m.digest)
FROM m_offering m JOIN s_offering s USING (no)
WHERE m.state = 'changed' AND o.accession = m.accession;

INSERT INTO catalog.offerings (accession, chain, $columns$, file_number, previous_accession, sic_code, schema_version,
                               document, run_id, row_hash)
SELECT s.accession, s.accession, $s_columns$, s.file_number, s.previous_accession, s.sic_code, s.schema_version,
       $document$, $run$, m.digest
FROM m_offering m JOIN s_offering s USING (no)
WHERE m.state = 'new' ORDER BY s.accession COLLATE "C";

-- A restated notice brings its children anew.
DELETE FROM catalog.offering_issuers c USING m_offering m WHERE m.state = 'changed' AND c.accession = m.accession;
DELETE FROM catalog.offering_people c USING m_offering m WHERE m.state = 'changed' AND c.accession = m.accession;
DELETE FROM catalog.offering_recipients c USING m_offering m WHERE m.state = 'changed' AND c.accession = m.accession;

INSERT INTO catalog.offering_issuers (accession, seq, cik, name, name_key, name_form, previous_names, street1, street2, city,
    state, state_name, postal_code, phone, jurisdiction, entity_type, year_formed)
SELECT m.accession, seq, cik, name, name_key, coalesce(name_form, ''), previous_names, street1, street2, city,
       c.state, state_name, postal_code, phone, jurisdiction, entity_type, year_formed
FROM s_issuer c JOIN m_offering m USING (no)
WHERE m.state IN ('new', 'changed') ORDER BY m.accession COLLATE "C", seq;

INSERT INTO catalog.offering_people (accession, seq, first_name, middle_name, last_name, entity, city, state, country,
    relationships, clarification)
SELECT m.accession, seq, first_name, middle_name, last_name, entity, city, c.state, country, relationships, clarification
FROM s_person c JOIN m_offering m USING (no)
WHERE m.state IN ('new', 'changed') ORDER BY m.accession COLLATE "C", seq;

INSERT INTO catalog.offering_recipients (accession, seq, name, crd, broker_dealer, broker_crd, city, state, country, states,
    is_foreign)
SELECT m.accession, seq, name, crd, broker_dealer, broker_crd, city, c.state, country, states, is_foreign
FROM s_recipient c JOIN m_offering m USING (no)
WHERE m.state IN ('new', 'changed') ORDER BY m.accession COLLATE "C", seq;
