-- A job that waits, or whose worker was lost.
UPDATE people.enrichments SET state = 'running', started_at = coalesce(started_at, @now), lease_until = @lease, runs = runs + 1
WHERE id = @id AND (state = 'queued' OR state = 'running' AND lease_until <= @now)
RETURNING id::text AS id, crd, state, created_at, started_at, finished_at, lease_until, runs, error, outcome
