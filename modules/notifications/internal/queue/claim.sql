UPDATE notifications.queue q
SET state = 'sending', attempts = q.attempts + 1, lease_until = @until
FROM (
	SELECT id FROM notifications.queue
	WHERE state IN ('queued', 'sending') AND coalesce(lease_until, not_before) <= @now
	ORDER BY coalesce(lease_until, not_before), id
	LIMIT @most FOR UPDATE SKIP LOCKED
) due
WHERE q.id = due.id
RETURNING q.id, q.kind, q.category, q.user_id, q.data, q.attempts AS attempt, q.message_id, q.created_at
