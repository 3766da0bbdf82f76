-- In the document's order: the rows of a filing mostly stand together there, so they meet in the same pages of the
-- indexes. Sorting wide rows by the primary key costs more than it saves.
INSERT INTO catalog.$table$ ($columns$)
SELECT $c_columns$
FROM m_filing m JOIN s_$table$ c USING (accession)
WHERE m.state IN ('new', 'changed');
