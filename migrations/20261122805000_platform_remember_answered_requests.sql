-- +goose Up
-- A request whose kept answer was dropped had one: whoever sent it is given, and charged, nothing new when it is executed again.
ALTER TABLE platform.idempotency ADD COLUMN answered boolean NOT NULL DEFAULT false;

-- +goose Down
ALTER TABLE platform.idempotency DROP COLUMN answered;
