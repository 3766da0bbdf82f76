-- Notes that a source failed, and raises an alert when it has failed @most times in a row, unless one is open.
WITH source AS (
	UPDATE dataops.sources SET last_checked = @at, last_error = @error, failures = failures + 1 WHERE name = @source
	RETURNING name, failures, last_error
)
INSERT INTO dataops.alerts (source_name, kind, reason, created_at)
SELECT name, @kind, name || ' failed ' || failures || ' times in a row: ' || last_error, @at FROM source s
WHERE failures >= @most AND NOT EXISTS (
	SELECT 1 FROM dataops.alerts a WHERE a.source_name = s.name AND a.kind = @kind AND a.resolved_at IS NULL)
