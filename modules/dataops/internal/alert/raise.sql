-- Raises an alert, or counts it where it is open. With a resolution it is kept as resolved. A figure raises none where an operator
-- resolved one that was as high and is still about the same rows. Doubts about rows are of several documents, so they are joined.
INSERT INTO dataops.alerts AS a (run_id, source_name, kind, subject, reason, created_at, raised_at, resolved_at, resolution, value, measured_on)
SELECT @run::bigint, nullif(@source, ''), @kind, @subject, @reason, @at::timestamptz, @at::timestamptz,
	CASE WHEN @resolution::text IS NOT NULL THEN @at::timestamptz END, @resolution::text, @value::double precision, @day::date
WHERE NOT EXISTS (
	SELECT 1 FROM dataops.alerts r
	WHERE r.kind = @kind AND coalesce(r.source_name, '') = @source AND r.subject = @subject AND r.resolved_by IS NOT NULL
		AND r.value >= @value::double precision AND r.measured_on >= @since::date
)
ON CONFLICT (kind, coalesce(source_name, ''), subject) WHERE resolved_at IS NULL DO UPDATE
SET run_id = excluded.run_id,
	reason = CASE WHEN a.kind = 'rows_doubtful' THEN left(a.reason || '; ' || excluded.reason, 10000) ELSE excluded.reason END, raised_at = excluded.raised_at, times = a.times + 1,
	value = excluded.value, measured_on = excluded.measured_on
