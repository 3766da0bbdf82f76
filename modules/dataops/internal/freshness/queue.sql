INSERT INTO dataops.refresh_queue (entity_type, entity_id, reason, priority, state, requested_by, created_at)
VALUES (@type, @entity, @reason, @priority, 'queued', @by, @at)
ON CONFLICT (entity_type, entity_id) WHERE state IN ('queued', 'running') DO NOTHING RETURNING id
