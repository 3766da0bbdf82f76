-- Every notice whose chain may be another than before: those of the document that changed, all of the chains that they
-- stand in, and all of the chains that their file number or a previous accession now ties them to. Chains are whole as
-- they stand, so one step is enough.
CREATE TEMP TABLE o_member ON COMMIT DROP AS
WITH seed AS (
    SELECT o.accession, o.file_number, o.previous_accession, o.chain
    FROM m_offering m JOIN catalog.offerings o USING (accession) WHERE m.state <> 'same'
), chains AS (
    SELECT chain FROM seed
    UNION SELECT o.chain FROM seed s JOIN catalog.offerings o ON o.file_number = s.file_number
    UNION SELECT o.chain FROM seed s JOIN catalog.offerings o ON o.accession = s.previous_accession
    UNION SELECT o.chain FROM seed s JOIN catalog.offerings o ON o.previous_accession = s.accession
)
SELECT o.accession, o.file_number, o.previous_accession, o.chain FROM chains JOIN catalog.offerings o USING (chain);
ANALYZE o_member;
