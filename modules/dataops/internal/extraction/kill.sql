-- The lock of the source is ours, so whoever ran it has ended.
UPDATE dataops.extractions SET state = 'failed', finished_at = greatest(@now, created_at), error = @killed
WHERE source_name = @source AND state = 'running'
