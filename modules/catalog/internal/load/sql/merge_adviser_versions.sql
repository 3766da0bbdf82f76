-- Writes the adviser's version of each new or changed filing.
UPDATE catalog.adviser_versions v SET ($columns$, row_hash) = ROW($values$, m.digest)
FROM m_filing m JOIN s_version n USING (accession)
WHERE m.state IN ('changed', 'completed') AND v.crd = m.crd AND v.accession = m.accession;
INSERT INTO catalog.adviser_versions (crd, accession, $columns$, row_hash)
SELECT m.crd, m.accession, $values$, m.digest FROM m_filing m JOIN s_version n USING (accession) WHERE m.state = 'new'
