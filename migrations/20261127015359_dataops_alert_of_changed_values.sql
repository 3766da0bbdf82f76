-- +goose Up
-- A column of a document was shifted, exchanged or written in another unit.
ALTER TABLE dataops.alerts DROP CONSTRAINT alerts_kind_check;
ALTER TABLE dataops.alerts ADD CONSTRAINT alerts_kind_check
    CHECK (kind IN ('universe_shrunk', 'keys_doubled', 'column_lost', 'table_lost', 'rows_unusable', 'rows_lost', 'values_changed', 'source_failed', 'edition_doubtful',
        'rows_doubtful', 'source_late', 'quarantine_share', 'duplicate_rows', 'vanished_advisers', 'null_share', 'aum_jumps', 'fund_sums', 'future_dates',
        'names_reverted'));

-- +goose Down
DELETE FROM dataops.alerts WHERE kind = 'values_changed';
ALTER TABLE dataops.alerts DROP CONSTRAINT alerts_kind_check;
ALTER TABLE dataops.alerts ADD CONSTRAINT alerts_kind_check
    CHECK (kind IN ('universe_shrunk', 'keys_doubled', 'column_lost', 'table_lost', 'rows_unusable', 'rows_lost', 'source_failed', 'edition_doubtful',
        'rows_doubtful', 'source_late', 'quarantine_share', 'duplicate_rows', 'vanished_advisers', 'null_share', 'aum_jumps', 'fund_sums', 'future_dates',
        'names_reverted'));
