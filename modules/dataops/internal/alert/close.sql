UPDATE dataops.alerts SET resolved_at = @at, resolution = @why
WHERE resolved_at IS NULL AND kind = @kind AND coalesce(source_name, '') = @source AND subject = @subject
