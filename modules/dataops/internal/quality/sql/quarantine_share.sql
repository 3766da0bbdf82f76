-- Rows of the day's runs that could not be used, by their reason without figures and what is quoted.
SELECT left(regexp_replace(regexp_replace(q.reason, '"[^"]*"', '"…"', 'g'), '[0-9]+', '#', 'g'), 120) AS dimension, '' AS crd,
	'run ' || r.id || ', ' || q.file || ' line ' || q.line AS detail, 1::bigint AS weight
FROM dataops.ingestion_runs r JOIN dataops.quarantine q ON q.run_id = r.id
WHERE r.started_at >= @from::timestamptz AND r.started_at < @until::timestamptz AND r.state <> 'running'
