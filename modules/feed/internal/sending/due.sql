-- The first message of each endpoint that has an open one, from endpoint to endpoint: others cost nothing.
WITH RECURSIVE open AS (
	(SELECT endpoint_id, next_at FROM feed.messages WHERE state IN ('waiting', 'sending') ORDER BY endpoint_id, next_at LIMIT 1)
	UNION ALL
	SELECT n.endpoint_id, n.next_at FROM open o CROSS JOIN LATERAL (
		SELECT m.endpoint_id, m.next_at FROM feed.messages m
		WHERE m.state IN ('waiting', 'sending') AND m.endpoint_id > o.endpoint_id
		ORDER BY m.endpoint_id, m.next_at LIMIT 1
	) n
)
SELECT e.id, e.user_id, e.streak
FROM open o
JOIN feed.endpoints e ON e.id = o.endpoint_id
JOIN accounts.pub_account a ON a.id = e.user_id
WHERE o.next_at <= @now AND e.state = 'active' AND NOT (e.id = ANY (@full::uuid[]))
	AND (e.streak < @probing OR NOT EXISTS (SELECT FROM feed.messages s WHERE s.endpoint_id = e.id AND s.state = 'sending' AND s.next_at > @now))
ORDER BY e.id
