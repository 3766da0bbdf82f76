-- Raises an alert, or counts it where it is open. With a resolution it is kept as resolved.
INSERT INTO dataops.alerts AS a (run_id, source_name, kind, subject, reason, created_at, raised_at, resolved_at, resolution)
VALUES (@run, nullif(@source, ''), @kind, @subject, @reason, @at, @at, CASE WHEN @resolution::text IS NOT NULL THEN @at::timestamptz END, @resolution)
ON CONFLICT (kind, coalesce(source_name, ''), subject) WHERE resolved_at IS NULL DO UPDATE
SET run_id = excluded.run_id, reason = excluded.reason, raised_at = excluded.raised_at, times = a.times + 1
