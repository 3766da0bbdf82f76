-- Runs of the day, with the rows that they read.
SELECT '' AS dimension, '' AS crd, 'run ' || id || ', ' || document || ': ' || rows_read || ' rows' AS detail, rows_read AS weight
FROM dataops.ingestion_runs WHERE started_at >= @from::timestamptz AND started_at < @until::timestamptz AND state <> 'running'
