-- +goose Up
-- A roster whose name has a day that cannot be right is loaded as the edition of another day, with an alert.
ALTER TABLE dataops.alerts DROP CONSTRAINT alerts_kind_check;
ALTER TABLE dataops.alerts ADD CONSTRAINT alerts_kind_check
    CHECK (kind IN ('universe_shrunk', 'keys_doubled', 'column_lost', 'rows_unusable', 'source_failed', 'edition_doubtful'));

-- +goose Down
DELETE FROM dataops.alerts WHERE kind = 'edition_doubtful';
ALTER TABLE dataops.alerts DROP CONSTRAINT alerts_kind_check;
ALTER TABLE dataops.alerts ADD CONSTRAINT alerts_kind_check
    CHECK (kind IN ('universe_shrunk', 'keys_doubled', 'column_lost', 'rows_unusable', 'source_failed'));
