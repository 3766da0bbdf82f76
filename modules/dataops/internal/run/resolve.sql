-- Resolves the alerts of a series, for an edition of it is loaded that had not been loaded before.
UPDATE dataops.alerts a SET resolved_at = @at, resolution = 'run ' || @run::bigint || ' loaded a new document of the series'
WHERE a.subject = @series AND a.run_id IS NOT NULL AND a.resolved_at IS NULL AND NOT EXISTS (
	SELECT 1 FROM dataops.ingestion_runs b WHERE b.state = 'completed' AND b.series = @series AND b.sha256 = @sha256 AND b.id <> @run
		AND (b.edition = @edition::date OR b.edition IS NULL OR @edition::date IS NULL))
