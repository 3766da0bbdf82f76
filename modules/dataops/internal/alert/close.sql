-- Resolves the open alert, and forgets the figures of those that operators resolved: what is raised next is new.
UPDATE dataops.alerts SET resolved_at = coalesce(resolved_at, @at), resolution = CASE WHEN resolved_at IS NULL THEN @why ELSE resolution END,
	value = CASE WHEN resolved_at IS NULL THEN value END
WHERE (resolved_at IS NULL OR value IS NOT NULL AND resolved_by IS NOT NULL)
	AND kind = @kind AND coalesce(source_name, '') = @source AND subject = @subject
