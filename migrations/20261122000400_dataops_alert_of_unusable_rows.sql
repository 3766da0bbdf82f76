-- +goose Up
-- Documents are stopped, too, when more than a twentieth of their rows cannot be used.
ALTER TABLE dataops.alerts DROP CONSTRAINT alerts_kind_check;
ALTER TABLE dataops.alerts ADD CONSTRAINT alerts_kind_check
    CHECK (kind IN ('universe_shrunk', 'keys_doubled', 'column_lost', 'rows_unusable', 'source_failed'));

-- +goose Down
DELETE FROM dataops.alerts WHERE kind = 'rows_unusable';
ALTER TABLE dataops.alerts DROP CONSTRAINT alerts_kind_check;
ALTER TABLE dataops.alerts ADD CONSTRAINT alerts_kind_check
    CHECK (kind IN ('universe_shrunk', 'keys_doubled', 'column_lost', 'source_failed'));
