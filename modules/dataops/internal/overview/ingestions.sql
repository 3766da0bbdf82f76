SELECT count(*) AS documents, count(*) FILTER (WHERE state = 'failed') AS failed, coalesce(sum(rows_read), 0)::bigint AS rows_read,
	coalesce(sum(quarantined), 0)::bigint AS quarantined
FROM dataops.ingestion_runs WHERE started_at > @since
