-- +goose Up
-- A job that was handed over stays until the queue says that it ended: Redis may lose what it accepted.
ALTER TABLE platform.outbox ADD COLUMN handed_at timestamptz; -- when the queue was last known to have the job; null = it waits
CREATE INDEX outbox_waiting ON platform.outbox (attempts, created_at, id) WHERE handed_at IS NULL;
CREATE INDEX outbox_handed ON platform.outbox (handed_at) WHERE handed_at IS NOT NULL;
DROP INDEX platform.outbox_created;

-- +goose Down
CREATE INDEX outbox_created ON platform.outbox (created_at);
DROP INDEX platform.outbox_handed;
DROP INDEX platform.outbox_waiting;
DELETE FROM platform.outbox WHERE handed_at IS NOT NULL;
ALTER TABLE platform.outbox DROP COLUMN handed_at;
