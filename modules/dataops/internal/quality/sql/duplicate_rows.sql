-- Runs of the day whose document repeats rows.
SELECT '' AS dimension, '' AS crd, 'run ' || id || ', ' || document || ': ' || duplicates || ' rows repeat an earlier one' AS detail, duplicates AS weight
FROM dataops.ingestion_runs WHERE started_at >= @from::timestamptz AND started_at < @until::timestamptz AND state <> 'running' AND duplicates > 0
