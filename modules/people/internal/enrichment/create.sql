INSERT INTO people.enrichments (id, crd, state, created_at, lease_until) VALUES (@id, @crd, 'queued', @now, @lease)
ON CONFLICT (crd) WHERE state IN ('queued', 'running') DO NOTHING
