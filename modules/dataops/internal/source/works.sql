-- Notes that a source works, and resolves the alerts about its failures and its lateness.
WITH source AS (
	UPDATE dataops.sources SET last_checked = @at, last_success = @at, last_error = NULL, failures = 0 WHERE name = @source
)
UPDATE dataops.alerts SET resolved_at = @at, resolution = 'the source works'
WHERE source_name = @source AND kind IN (@kind, 'source_late') AND resolved_at IS NULL
