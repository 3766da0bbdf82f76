WITH old AS (
	SELECT id FROM notifications.queue
	WHERE created_at < @before AND state IN ('sent', 'failed', 'suppressed')
	ORDER BY id LIMIT @most
), gone AS (
	DELETE FROM notifications.queue q USING old WHERE q.id = old.id RETURNING 1
), days AS (
	DELETE FROM notifications.daily WHERE day < @day::text::date
), addresses AS (
	DELETE FROM notifications.bounces WHERE last_at < @before
)
SELECT count(*) FROM gone
