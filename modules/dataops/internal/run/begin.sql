INSERT INTO dataops.ingestion_runs (source, document, location, state, started_at, source_name, extraction_id)
VALUES (@kind, @document, @location, 'running', @at, nullif(@source, ''), nullif(@extraction::bigint, 0)) RETURNING id
