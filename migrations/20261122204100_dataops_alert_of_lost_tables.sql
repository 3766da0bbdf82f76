-- +goose Up
-- An archive that lacks a table which the one before it had is stopped; one that lacks a table otherwise is loaded with an alert.
ALTER TABLE dataops.alerts DROP CONSTRAINT alerts_kind_check;
ALTER TABLE dataops.alerts ADD CONSTRAINT alerts_kind_check
    CHECK (kind IN ('universe_shrunk', 'keys_doubled', 'column_lost', 'table_lost', 'rows_unusable', 'source_failed', 'edition_doubtful'));

-- +goose Down
DELETE FROM dataops.alerts WHERE kind = 'table_lost';
ALTER TABLE dataops.alerts DROP CONSTRAINT alerts_kind_check;
ALTER TABLE dataops.alerts ADD CONSTRAINT alerts_kind_check
    CHECK (kind IN ('universe_shrunk', 'keys_doubled', 'column_lost', 'rows_unusable', 'source_failed', 'edition_doubtful'));
