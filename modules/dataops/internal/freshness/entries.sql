SELECT id, entity_type, entity_id, reason, priority, state AS status, result, extraction_id, requested_by, created_at, finished_at, attempts
FROM dataops.refresh_queue
WHERE (@id::bigint = 0 OR id = @id) AND (@status = '' OR state = @status) AND (@type = '' OR entity_type = @type)
	AND (@entity = '' OR entity_id = @entity) AND (NOT @active OR state IN ('queued', 'running'))
ORDER BY CASE WHEN state IN ('queued', 'running') THEN 0 ELSE 1 END, CASE WHEN state IN ('queued', 'running') THEN -priority ELSE 0 END,
	CASE WHEN state IN ('queued', 'running') THEN id ELSE -id END
LIMIT @limit
