SELECT id, type, entity_id, nullif(field, '') AS field, value, original, reason, valid_from AS valid_on, removed_at IS NULL AS active,
	created_at, created_by, removed_at, removed_by
FROM dataops.overrides
WHERE (@id::bigint = 0 OR id = @id) AND (@type::text = '' OR type = @type) AND (@entity::text = '' OR entity_id = @entity)
	AND (@field::text IS NULL OR field = @field) AND (NOT @active OR removed_at IS NULL)
ORDER BY id DESC
