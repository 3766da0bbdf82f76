SELECT id, kind, CASE WHEN resolved_at IS NOT NULL THEN 'resolved' WHEN acknowledged_at IS NOT NULL THEN 'acknowledged' ELSE 'open' END AS state,
	source_name AS source, nullif(subject, '') AS subject, reason, run_id, times, created_at, raised_at, acknowledged_at, acknowledged_by,
	resolved_at, resolved_by, resolution
FROM dataops.alerts
WHERE (NOT @unresolved OR resolved_at IS NULL) AND (@id::bigint IS NULL OR id = @id)
ORDER BY id DESC LIMIT @limit
