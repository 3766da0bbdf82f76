-- +goose Up
-- The key whose limit windows a live key continues: a revoked one of the same account and tier. Null: it has windows of its own.
ALTER TABLE keys.api_keys ADD COLUMN counted_as uuid;

-- +goose Down
ALTER TABLE keys.api_keys DROP COLUMN counted_as;
