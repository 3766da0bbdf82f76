-- +goose Up
-- A column that is there without values is as good as lost: a document is compared with those before.
ALTER TABLE dataops.ingestion_runs ADD COLUMN filled jsonb;   -- by table: its rows, and how many have a value in each column

-- +goose Down
ALTER TABLE dataops.ingestion_runs DROP COLUMN filled;
