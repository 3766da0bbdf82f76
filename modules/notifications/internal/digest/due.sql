-- Accounts with a higher ID than after that may get a digest, and where each digest starts. Accounts with a digest in the queue are
-- skipped. The contents of an unsent digest are repeated. A first digest starts at oldest_new, and none before oldest.
WITH due AS (
	SELECT a.id AS user_id, d.user_id IS NULL AS first,
		CASE WHEN q.state IN ('failed', 'suppressed') THEN d.low ELSE d.high END AS low,
		CASE WHEN q.state IN ('failed', 'suppressed') THEN d.low_at ELSE d.high_at END AS since
	FROM accounts.pub_account a
	LEFT JOIN notifications.preferences p ON p.user_id = a.id
	LEFT JOIN notifications.digests d ON d.user_id = a.id
	LEFT JOIN notifications.queue q ON q.natural_key = d.mail
	WHERE a.id > @after AND {{wants}}
		AND (d.day IS NULL OR d.day < @day::date) AND coalesce(q.state, '') NOT IN ('queued', 'sending')
		AND EXISTS (SELECT 1 FROM accounts.pub_watch w WHERE w.user_id = a.id AND w.alert_enabled)
	ORDER BY a.id LIMIT @limit
),
reach AS (
	SELECT coalesce(max(arrival) FILTER (WHERE known_at < @oldest), -1) AS oldest,
		coalesce(max(arrival) FILTER (WHERE known_at < @oldest_new), -1) AS oldest_new
	FROM catalog.pub_arrival
)
SELECT user_id, CASE WHEN first THEN r.oldest_new ELSE greatest(low, r.oldest) END AS low,
	CASE WHEN first THEN @oldest_new::timestamptz ELSE greatest(since, @oldest::timestamptz) END AS since
FROM due, reach r
ORDER BY user_id
