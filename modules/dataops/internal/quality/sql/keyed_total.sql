-- Rows with a key that the day's runs read. Runs of before they were counted have all their rows here.
SELECT coalesce(sum(coalesce(keyed_rows, rows_read)), 0)::bigint FROM dataops.ingestion_runs
WHERE started_at >= @from::timestamptz AND started_at < @until::timestamptz AND state <> 'running'
