-- Marks the extractions as failed that no process works on, and those that no worker began. One that runs has its source locked.
-- OFFSET 0 keeps the planner from asking for the locks of extractions that are over.
UPDATE dataops.extractions SET state = 'failed', finished_at = greatest(@now, created_at),
	error = CASE state WHEN 'queued' THEN @forgotten ELSE @killed END
WHERE (state = 'queued' AND created_at < @before) OR id IN (
	SELECT id FROM (SELECT id, source_name FROM dataops.extractions WHERE state = 'running' OFFSET 0) e
	WHERE pg_try_advisory_xact_lock(@class, hashtext(source_name))
)
