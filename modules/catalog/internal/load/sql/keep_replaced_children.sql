-- What the editions in m_replaced listed in a table, an empty list too.
INSERT INTO catalog.replaced_children (accession, list, rows)
SELECT r.accession, '$table$', coalesce((
	SELECT jsonb_agg(to_jsonb(c) - '{accession,seq,crd}'::text[] ORDER BY c.seq) FROM catalog.$table$ c WHERE c.accession = r.accession), '[]')
FROM m_replaced r ON CONFLICT DO NOTHING
