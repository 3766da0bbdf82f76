-- Deletes what restated filings listed before, where the document has the list.
DELETE FROM catalog.$table$ o USING m_filing m
WHERE m.state IN ('changed', 'completed') AND o.accession = m.accession
	AND NOT EXISTS (SELECT 1 FROM m_said k WHERE k.accession = m.accession AND $list$ = ANY (k.kept_tables))
