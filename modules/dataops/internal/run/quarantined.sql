SELECT q.run_id, r.document, q.file, q.line, q.reason, left(q.raw, @chars::int + 1) AS raw
FROM dataops.quarantine q JOIN dataops.ingestion_runs r ON r.id = q.run_id
WHERE (@extraction::bigint = 0 OR r.extraction_id = @extraction) AND (@run::bigint = 0 OR q.run_id = @run)
ORDER BY q.run_id DESC, q.id LIMIT @limit
