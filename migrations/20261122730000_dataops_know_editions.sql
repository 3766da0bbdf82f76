-- +goose Up
-- A document is compared with the newest edition that is not newer than it, whatever was loaded last.
ALTER TABLE dataops.ingestion_runs
    ADD COLUMN edition    date,                    -- the day of the document's edition; null = not known
    ADD COLUMN keyed_rows bigint;                  -- rows that have a key of their own, among which duplicates are found; null = not counted

-- +goose Down
ALTER TABLE dataops.ingestion_runs DROP COLUMN edition, DROP COLUMN keyed_rows;
