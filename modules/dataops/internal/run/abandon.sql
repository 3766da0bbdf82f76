-- Marks the runs as failed that no process works on. A run in progress holds its lock; one that can be had belongs to nobody.
-- OFFSET 0 keeps the planner from asking for the locks of runs that are over.
UPDATE dataops.ingestion_runs SET state = 'failed', finished_at = greatest(@now, started_at), error = @error
WHERE id IN (
	SELECT id FROM (SELECT id FROM dataops.ingestion_runs WHERE state = 'running' OFFSET 0) r
	WHERE pg_try_advisory_xact_lock(@class, id::int)
)
