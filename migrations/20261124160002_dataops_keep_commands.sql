-- +goose Up
-- Commands create overrides, too: they have no account. Commands of before become overrides, unless an override corrects the same.
ALTER TABLE dataops.overrides ALTER COLUMN created_by DROP NOT NULL;
INSERT INTO dataops.overrides (type, entity_id, field, value, original, reason, valid_from, created_at)
SELECT type, entity_id, field, value, original, coalesce(nullif(reason, ''), 'by command'), (created_at AT TIME ZONE 'UTC')::date, created_at
FROM people.pub_command ORDER BY created_at, type, entity_id
ON CONFLICT (type, entity_id, field) WHERE removed_at IS NULL DO NOTHING;
CREATE VIEW dataops.pub_override AS SELECT id, type, entity_id, field FROM dataops.overrides WHERE removed_at IS NULL;

-- +goose Down
DROP VIEW IF EXISTS dataops.pub_override;
UPDATE dataops.overrides SET created_by = 0 WHERE created_by IS NULL;
ALTER TABLE dataops.overrides ALTER COLUMN created_by SET NOT NULL;
