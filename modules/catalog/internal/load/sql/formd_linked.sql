-- Every notice whose chain may have changed: the changed notices of the document, all notices of their chains, and all notices
-- of the chains that their file number or a previous accession now ties them to. Stored chains are complete, so one step is
-- enough.
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
