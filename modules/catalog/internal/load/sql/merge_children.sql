-- In the document's order: the rows of a filing mostly stand together there, so they meet in the same pages of the
-- indexes. Sorting wide rows by the primary key costs more than it saves. Rows that a restated filing keeps, because the
-- document has no table for them, keep their places; the others follow them.
INSERT INTO catalog.$table$ ($columns$)
SELECT c.accession, c.seq + coalesce(kept.seq, 0), $c_columns$
FROM m_filing m JOIN s_$table$ c USING (accession)
LEFT JOIN (
    SELECT k.accession, max(k.seq) AS seq FROM m_filing r JOIN catalog.$table$ k USING (accession)
    WHERE r.state IN ('changed', 'completed') GROUP BY k.accession
) kept USING (accession)
WHERE m.state = 'new' OR m.state IN ('changed', 'completed')
  AND NOT EXISTS (SELECT 1 FROM m_said s WHERE s.accession = m.accession AND $list$ = ANY (s.kept_tables));
