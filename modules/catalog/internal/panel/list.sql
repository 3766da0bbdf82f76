-- The rows of a list of a manager as JSON, with the edition that states it; null where none does, or where the edition's rows were not kept.
SELECT e.accession, e.form_type, e.filing_date, CASE
	WHEN e.replaced_at IS NULL THEN (
		SELECT coalesce(jsonb_agg(to_jsonb(t) ORDER BY t.seq), '[]') FROM catalog.{{table}} t WHERE t.accession = e.accession)
	ELSE (SELECT k.rows FROM catalog.replaced_children k WHERE k.accession = e.accession AND k.list = '{{table}}' AND k.replaced_at = e.replaced_at)
	END AS rows
FROM catalog.advisers a LEFT JOIN LATERAL ({{edition}}) e ON true
WHERE a.crd = @crd
