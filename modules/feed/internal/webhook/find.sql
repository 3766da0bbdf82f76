SELECT e.id, e.user_id, e.url, e.kinds, e.scope, e.crds, e.collection_id, e.mode, e.header_names, e.headers, e.state, e.why, e.position, e.failing_since, e.streak, e.created_at, e.updated_at,
	(SELECT count(*) FROM feed.messages m WHERE m.endpoint_id = e.id AND m.state IN ('waiting', 'sending')) AS waiting
FROM feed.endpoints e
WHERE e.user_id = @user AND (@id = '' OR e.id::text = @id)
ORDER BY e.created_at, e.id
