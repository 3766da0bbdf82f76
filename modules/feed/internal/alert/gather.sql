-- The news of alerts, the first few of each, with how many there are in all: of one load, for webhooks (@hooks), or since the last mail.
SELECT a.user_id, a.search_id, s.name, a.webhooks, m.crd, m.name AS gp_name, m.what, m.fields, m.at, m.known_at, m.truncated, m.total
FROM feed.alerts a
JOIN accounts.pub_account u ON u.id = a.user_id
JOIN accounts.pub_saved_search s ON s.id = a.search_id AND s.user_id = a.user_id AND s.hash = a.hash
CROSS JOIN LATERAL (
	SELECT m.*, count(*) OVER () AS total FROM feed.news m
	WHERE m.hash = a.hash AND m.arrival > greatest(a.since, CASE WHEN @hooks THEN @arrival - 1 ELSE a.mailed END) AND m.what = ANY (a.tells)
		AND (m.what <> 'changed' OR cardinality(a.fields) = 0 OR m.fields && a.fields)
	ORDER BY m.arrival DESC, m.crd LIMIT @most
) m
WHERE a.state = 'active' AND a.user_id = ANY (@users) AND (@hooks AND cardinality(a.webhooks) > 0 OR NOT @hooks AND a.mail = ANY (@modes))
ORDER BY a.user_id, a.created_at, a.search_id, m.crd
