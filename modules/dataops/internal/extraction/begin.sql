INSERT INTO dataops.extractions (source_name, trigger, accept, state, created_at, started_at)
VALUES (@source, @trigger, @accept, 'running', @now, @now) RETURNING id
