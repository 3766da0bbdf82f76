SELECT id FROM dataops.ingestion_runs
WHERE state = 'completed' AND series = @series AND sha256 = @sha256
	AND (edition = @edition::date OR edition IS NULL OR @edition::date IS NULL)
LIMIT 1
