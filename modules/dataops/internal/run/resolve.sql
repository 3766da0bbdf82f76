-- Resolves the alerts of a series, for a document of it is loaded that had not been loaded before.
UPDATE dataops.alerts a SET resolved_at = @at FROM dataops.ingestion_runs r
WHERE a.run_id = r.id AND r.series = @series AND a.resolved_at IS NULL AND NOT EXISTS (
	SELECT 1 FROM dataops.ingestion_runs b WHERE b.state = 'completed' AND b.series = r.series AND b.sha256 = @sha256 AND b.id <> @run)
