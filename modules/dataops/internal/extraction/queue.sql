INSERT INTO dataops.extractions (source_name, trigger, requested_by, accept, state, created_at)
VALUES (@source, @trigger, @by, @accept, 'queued', @at)
ON CONFLICT (source_name) WHERE state IN ('queued', 'running') DO NOTHING RETURNING id
