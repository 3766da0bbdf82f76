INSERT INTO dataops.filed_rows AS f (kind, crd, filing_id, submitted, rows)
SELECT @kind, n.crd, n.filing_id, n.submitted, n.rows::jsonb
FROM unnest(@crds::text[], @ids::text[], @submitted::timestamptz[], @rows::text[]) AS n (crd, filing_id, submitted, rows)
ORDER BY n.crd
ON CONFLICT (kind, crd) DO UPDATE
SET filing_id = excluded.filing_id, submitted = excluded.submitted, rows = (f.rows - @tables::text[]) || excluded.rows
WHERE excluded.submitted >= f.submitted AND (f.filing_id, f.rows) IS DISTINCT FROM (excluded.filing_id, (f.rows - @tables::text[]) || excluded.rows)
