-- The oldest endpoints of an account stay active; those above the number of its plan are paused.
UPDATE feed.endpoints e SET state = 'paused', why = 'plan', updated_at = @now
FROM (
	SELECT p.id, {{plan now}} AS plan,
		row_number() OVER (PARTITION BY p.user_id ORDER BY p.created_at, p.id) AS rank
	FROM feed.endpoints p JOIN accounts.pub_account a ON a.id = p.user_id
	WHERE p.state = 'active'
) r
WHERE e.id = r.id AND e.state = 'active' AND r.rank > (@most::jsonb ->> r.plan)::int
