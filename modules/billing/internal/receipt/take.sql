-- Creates one receipt per account from its waiting lines, for accounts with a purchase from before settled and no receipt since
-- last. Returns the accounts.
WITH due AS (
	SELECT w.user_id FROM billing.receipt_lines w
	WHERE w.made_at IS NULL AND w.bought_at <= @settled::timestamptz
		AND NOT EXISTS (SELECT FROM billing.receipt_lines e WHERE e.user_id = w.user_id AND e.made_at > @last::timestamptz)
	GROUP BY w.user_id ORDER BY min(w.bought_at), w.user_id LIMIT @limit
), made AS (
	UPDATE billing.receipt_lines l SET made_at = @now FROM due WHERE l.user_id = due.user_id AND l.made_at IS NULL
	RETURNING l.user_id
)
SELECT DISTINCT user_id FROM made ORDER BY user_id
