WITH queued AS (
	INSERT INTO feed.messages AS m (endpoint_id, id, seq_low, seq_high, kind, events, state, next_at, created_at)
	SELECT u.endpoint, u.id, u.low, u.high, u.kind, u.events, 'waiting', @now, @now
	FROM unnest(@endpoints::uuid[], @ids::text[], @lows::bigint[], @highs::bigint[], @kinds::text[], @events::bigint[]) AS u(endpoint, id, low, high, kind, events)
	ON CONFLICT (endpoint_id, id) DO UPDATE SET state = 'waiting', tries = 0, next_at = @now WHERE m.state IN ('done', 'failed')
)
UPDATE feed.endpoints e
SET position = u.position, notified_at = CASE WHEN u.notified THEN @now ELSE e.notified_at END
FROM unnest(@readers::uuid[], @positions::bigint[], @notified::boolean[]) AS u(id, position, notified)
WHERE e.id = u.id
