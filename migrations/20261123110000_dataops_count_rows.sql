-- +goose Up
-- A table that lost rows looks like owners who left and disclosures that ended: an archive is compared with the filings before.
ALTER TABLE dataops.ingestion_runs ADD COLUMN table_rows jsonb;   -- by table: filings, their rows, the sum of squares

-- How many rows the newest filing of each adviser has in each table of an archive.
CREATE TABLE dataops.filed_rows (
    kind      text NOT NULL,                       -- ia or era: FilingIDs are unique in each
    crd       text COLLATE "C" NOT NULL,
    filing_id text NOT NULL,
    submitted timestamptz NOT NULL,
    rows      jsonb NOT NULL,                      -- by table; one that is missing has none
    PRIMARY KEY (kind, crd)
);

ALTER TABLE dataops.alerts DROP CONSTRAINT alerts_kind_check;
ALTER TABLE dataops.alerts ADD CONSTRAINT alerts_kind_check
    CHECK (kind IN ('universe_shrunk', 'keys_doubled', 'column_lost', 'table_lost', 'rows_unusable', 'rows_lost', 'source_failed', 'edition_doubtful',
        'source_late', 'quarantine_share', 'duplicate_rows', 'vanished_advisers', 'null_share', 'aum_jumps', 'fund_sums', 'future_dates',
        'names_reverted'));

-- +goose Down
DELETE FROM dataops.alerts WHERE kind = 'rows_lost';
ALTER TABLE dataops.alerts DROP CONSTRAINT alerts_kind_check;
ALTER TABLE dataops.alerts ADD CONSTRAINT alerts_kind_check
    CHECK (kind IN ('universe_shrunk', 'keys_doubled', 'column_lost', 'table_lost', 'rows_unusable', 'source_failed', 'edition_doubtful',
        'source_late', 'quarantine_share', 'duplicate_rows', 'vanished_advisers', 'null_share', 'aum_jumps', 'fund_sums', 'future_dates',
        'names_reverted'));
DROP TABLE dataops.filed_rows;
ALTER TABLE dataops.ingestion_runs DROP COLUMN table_rows;
