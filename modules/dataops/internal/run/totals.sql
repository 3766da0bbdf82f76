SELECT source, state, count(*) AS runs, sum(rows_read)::bigint AS rows, sum(quarantined)::bigint AS quarantined,
	coalesce(sum(extract(epoch FROM finished_at - started_at)), 0)::bigint AS seconds, max(started_at) AS latest
FROM dataops.ingestion_runs GROUP BY source, state ORDER BY source, state
