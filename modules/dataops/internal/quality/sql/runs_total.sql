-- Rows that the day's runs read.
SELECT coalesce(sum(rows_read), 0)::bigint FROM dataops.ingestion_runs
WHERE started_at >= @from::timestamptz AND started_at < @until::timestamptz AND state <> 'running'
