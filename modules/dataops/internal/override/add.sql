INSERT INTO dataops.overrides (id, type, entity_id, field, value, original, reason, valid_from, created_at, created_by)
VALUES (@id, @type, @entity, @field, @value::jsonb, @original::jsonb, @reason, @valid_from::date, @at::timestamptz, @by)
ON CONFLICT (type, entity_id, field) WHERE removed_at IS NULL DO NOTHING
