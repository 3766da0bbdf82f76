SELECT e.id AS run_id, e.source_name AS source, e.state, e.trigger, e.requested_by, e.accept, e.created_at, e.started_at, e.finished_at,
	e.listed, e.known, e.loaded, e.awaited, e.error,
	coalesce(r.documents, 0) AS documents, coalesce(r.rows_read, 0)::bigint AS rows_read, coalesce(r.quarantined, 0)::bigint AS quarantined
FROM (
	SELECT * FROM dataops.extractions WHERE (@source = '' OR source_name = @source) AND (@id::bigint = 0 OR id = @id)
	ORDER BY id DESC LIMIT @limit
) e LEFT JOIN LATERAL (
	SELECT count(*) AS documents, sum(rows_read) AS rows_read, sum(quarantined) AS quarantined
	FROM dataops.ingestion_runs WHERE extraction_id = e.id
) r ON true
ORDER BY e.id DESC
