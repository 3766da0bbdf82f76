-- +goose Up
-- An archive that repeats a filing with fewer rows has lost them: the rows of every filing are kept, not only of an adviser's newest.
ALTER TABLE dataops.filed_rows DROP CONSTRAINT filed_rows_pkey;
ALTER TABLE dataops.filed_rows ADD CONSTRAINT filed_rows_pkey PRIMARY KEY (kind, crd, filing_id);
ALTER TABLE dataops.filed_rows ADD COLUMN carried jsonb NOT NULL DEFAULT '{}';   -- of earlier filings, in tables that the archive lacks

-- +goose Down
DELETE FROM dataops.filed_rows f USING dataops.filed_rows n
WHERE n.kind = f.kind AND n.crd = f.crd AND (n.submitted, n.filing_id) > (f.submitted, f.filing_id);
UPDATE dataops.filed_rows SET rows = carried || rows;
ALTER TABLE dataops.filed_rows DROP COLUMN carried;
ALTER TABLE dataops.filed_rows DROP CONSTRAINT filed_rows_pkey;
ALTER TABLE dataops.filed_rows ADD CONSTRAINT filed_rows_pkey PRIMARY KEY (kind, crd);
