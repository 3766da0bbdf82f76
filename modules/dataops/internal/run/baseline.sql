SELECT r.id AS run_id, r.document, coalesce(r.edition, '0001-01-01'::date)::timestamp AS edition, coalesce(r.advisers_seen, 0) AS advisers, r.layout
FROM dataops.ingestion_runs r
WHERE r.state = 'completed' AND r.series = @series AND (r.edition <= @edition::date OR r.edition IS NULL OR @edition::date IS NULL) AND NOT EXISTS (
		SELECT 1 FROM dataops.ingestion_runs e
		WHERE e.state = 'completed' AND e.series = r.series AND e.sha256 = r.sha256 AND e.edition IS NOT DISTINCT FROM r.edition AND e.id < r.id
	) AND NOT EXISTS (
		SELECT 1 FROM dataops.ingestion_runs e WHERE e.state = 'completed' AND e.series = r.series AND e.sha256 = @sha256
			AND (e.edition = @edition::date OR e.edition IS NULL OR @edition::date IS NULL)
	)
ORDER BY CASE WHEN @edition::date IS NOT NULL THEN r.edition END DESC NULLS LAST, r.id DESC LIMIT 1
