-- Resolves the alerts of a series, because an edition of it is loaded that had not been loaded before. A list makes up for an older edition that
-- was stopped. An archive of filings, withdrawals or notices (@delta) does not: only the same edition has what the stopped one lacked. One alert
-- may be about several: those that failed since a day before it was raised, which is longer than a run takes. Neither makes up for rows that an
-- earlier document may lack.
UPDATE dataops.alerts a SET resolved_at = @at, resolution = 'run ' || @run::bigint || ' loaded a new document of the series'
WHERE a.subject = @series AND a.kind <> 'rows_doubtful' AND a.resolved_at IS NULL AND EXISTS (
	SELECT FROM dataops.ingestion_runs r WHERE r.id = a.run_id
		AND (r.edition IS NULL OR @edition::date IS NULL OR CASE WHEN @delta THEN r.edition = @edition OR r.state = 'failed' ELSE r.edition <= @edition END)
) AND NOT (@delta AND EXISTS (
	SELECT FROM dataops.ingestion_runs o WHERE o.series = @series AND o.state = 'failed' AND o.started_at >= a.created_at - interval '1 day'
		AND o.edition <> @edition::date AND NOT EXISTS (
			SELECT FROM dataops.ingestion_runs d WHERE d.series = @series AND d.state = 'completed' AND d.edition = o.edition AND d.id > o.id))
) AND NOT EXISTS (
	SELECT 1 FROM dataops.ingestion_runs b WHERE b.state = 'completed' AND b.series = @series AND b.sha256 = @sha256 AND b.id <> @run
		AND (b.edition = @edition::date OR b.edition IS NULL OR @edition::date IS NULL))
