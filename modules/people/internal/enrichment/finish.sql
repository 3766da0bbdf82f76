-- Only by the run that has the job.
UPDATE people.enrichments SET state = @state, error = @error, outcome = @outcome, finished_at = @now
WHERE id = @id AND state = 'running' AND runs = @runs
