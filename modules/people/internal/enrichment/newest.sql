-- The job of an adviser that is open, else the newest that has completed.
SELECT id::text AS id, crd, state, created_at, started_at, finished_at, lease_until, runs, error, outcome
FROM people.enrichments WHERE crd = @crd AND state <> 'failed'
ORDER BY state = 'completed', created_at DESC LIMIT 1
