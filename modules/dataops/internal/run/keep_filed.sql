INSERT INTO dataops.filed_rows AS f (kind, crd, filing_id, submitted, rows, carried)
SELECT @kind, n.crd, n.filing_id, n.submitted, n.rows::jsonb, coalesce(p.rows, '{}') - @tables::text[]
FROM unnest(@crds::text[], @ids::text[], @submitted::timestamptz[], @rows::text[]) AS n (crd, filing_id, submitted, rows)
LEFT JOIN LATERAL (
	SELECT o.carried || o.rows AS rows FROM dataops.filed_rows o
	WHERE o.kind = @kind AND o.crd = n.crd AND o.filing_id <> n.filing_id AND o.submitted <= n.submitted
	ORDER BY o.submitted DESC, length(o.filing_id) DESC, o.filing_id DESC
	LIMIT 1
) p ON true
ORDER BY n.crd
ON CONFLICT (kind, crd, filing_id) DO UPDATE
SET submitted = excluded.submitted, rows = (f.rows - @tables::text[]) || excluded.rows, carried = excluded.carried
WHERE (f.submitted, f.rows, f.carried) IS DISTINCT FROM (excluded.submitted, (f.rows - @tables::text[]) || excluded.rows, excluded.carried)
