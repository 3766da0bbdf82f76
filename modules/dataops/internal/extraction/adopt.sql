-- Begins the queued extraction of a number, or (0) that of a source.
UPDATE dataops.extractions SET state = 'running', started_at = @now
WHERE state = 'queued' AND source_name = @source AND (@id::bigint = 0 OR id = @id) RETURNING id
