UPDATE billing.alerts a SET queued_at = @now
FROM (
	SELECT user_id, period, threshold FROM billing.alerts
	WHERE queued_at IS NULL AND (@user::bigint IS NULL OR user_id = @user)
	ORDER BY crossed_at, user_id, period, threshold LIMIT @limit FOR UPDATE SKIP LOCKED
) AS waiting
WHERE a.user_id = waiting.user_id AND a.period = waiting.period AND a.threshold = waiting.threshold
RETURNING a.user_id, a.period, a.threshold
