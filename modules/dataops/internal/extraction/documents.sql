SELECT id, document, source AS kind, state, started_at, finished_at, rows_read, filings_new, filings_changed, quarantined, error
FROM dataops.ingestion_runs WHERE extraction_id = @id ORDER BY id LIMIT 1000
