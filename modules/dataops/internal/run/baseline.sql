SELECT r.id AS run_id, r.document, coalesce(r.advisers_seen, 0) AS advisers, r.layout FROM dataops.ingestion_runs r
WHERE r.state = 'completed' AND r.series = @series AND NOT EXISTS (
		SELECT 1 FROM dataops.ingestion_runs e
		WHERE e.state = 'completed' AND e.series = r.series AND e.sha256 = r.sha256 AND e.id < r.id
	) AND NOT EXISTS (
		SELECT 1 FROM dataops.ingestion_runs e WHERE e.state = 'completed' AND e.series = r.series AND e.sha256 = @sha256
	)
ORDER BY r.id DESC LIMIT 1
