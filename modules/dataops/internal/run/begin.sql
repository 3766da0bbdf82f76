INSERT INTO dataops.ingestion_runs (source, document, location, state, started_at, source_name)
VALUES (@kind, @document, @location, 'running', @at, nullif(@source, '')) RETURNING id
