SELECT e.id, e.user_id, e.kinds, e.scope, e.crds, e.collection_id, e.mode, e.position, o.fresh, o.open
FROM feed.endpoints e
JOIN accounts.pub_account a ON a.id = e.user_id -- deleted accounts have none
CROSS JOIN LATERAL (
	SELECT count(*) FILTER (WHERE m.tries = 0) AS fresh, count(*) AS open
	FROM feed.messages m WHERE m.endpoint_id = e.id AND m.state IN ('waiting', 'sending')
) o
WHERE e.state = 'active' AND e.position < @newest AND e.id > @after::uuid AND o.fresh < @fresh AND o.open < @open
	AND (e.mode = 'each' OR e.notified_at IS NULL OR e.notified_at <= @pause)
ORDER BY e.id
LIMIT @most
FOR UPDATE OF e SKIP LOCKED
