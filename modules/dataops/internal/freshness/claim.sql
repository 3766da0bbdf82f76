UPDATE dataops.refresh_queue SET state = 'running', lease_until = @until, attempts = attempts + 1
WHERE id = (
	SELECT id FROM dataops.refresh_queue WHERE state = 'queued' OR (state = 'running' AND lease_until < @now)
	ORDER BY priority DESC, id LIMIT 1 FOR UPDATE SKIP LOCKED
) RETURNING id
