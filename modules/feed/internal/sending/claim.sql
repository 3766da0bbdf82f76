UPDATE feed.messages m
SET state = 'sending', next_at = @until, tries = m.tries + 1, attempts = m.attempts + 1
FROM (
	SELECT w.id AS endpoint_id, d.id
	FROM unnest(@endpoints::uuid[], @counts::int[]) AS w(id, most)
	CROSS JOIN LATERAL (
		SELECT d.id FROM feed.messages d
		WHERE d.endpoint_id = w.id AND d.state IN ('waiting', 'sending') AND d.next_at <= @now
		ORDER BY d.next_at, d.seq_high LIMIT w.most FOR UPDATE SKIP LOCKED
	) d
) c
WHERE m.endpoint_id = c.endpoint_id AND m.id = c.id
RETURNING m.endpoint_id, m.id, m.seq_low, m.seq_high, m.kind, m.events, m.tries, m.attempts, m.created_at, m.body
