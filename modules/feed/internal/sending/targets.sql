SELECT e.id, e.url, e.headers, array(
	SELECT s.sealed FROM feed.secrets s
	WHERE s.endpoint_id = e.id AND (s.expires_at IS NULL OR s.expires_at > @now)
	ORDER BY s.id DESC
) AS secrets
FROM feed.endpoints e
WHERE e.id = ANY (@endpoints::uuid[])
