-- Notes that a source works, and resolves the alerts about its failures.
WITH source AS (
	UPDATE dataops.sources SET last_checked = @at, last_success = @at, last_error = NULL, failures = 0 WHERE name = @source
)
UPDATE dataops.alerts SET resolved_at = @at WHERE source_name = @source AND kind = @kind AND resolved_at IS NULL
