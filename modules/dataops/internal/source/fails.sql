-- Notes that a source failed, and raises an alert when it has failed @most times in a row, or counts the open one.
WITH source AS (
	UPDATE dataops.sources SET last_checked = @at, last_error = @error, failures = failures + 1 WHERE name = @source
	RETURNING name, failures, last_error
)
INSERT INTO dataops.alerts AS a (source_name, kind, reason, created_at, raised_at)
SELECT name, @kind, name || ' failed ' || failures || ' times in a row: ' || last_error, @at, @at FROM source s
WHERE failures >= @most
ON CONFLICT (kind, coalesce(source_name, ''), subject) WHERE resolved_at IS NULL DO UPDATE
SET reason = excluded.reason, raised_at = excluded.raised_at, times = a.times + 1
