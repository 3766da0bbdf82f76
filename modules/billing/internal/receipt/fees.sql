-- What requests that are charged each cost since the receipt before, or since the month began: purchases alone are on the receipt.
WITH span AS (
	SELECT greatest(date_trunc('month', min(l.bought_at), 'UTC'), (
		SELECT max(e.made_at) FROM billing.receipt_lines e WHERE e.user_id = @user AND e.made_at < @made::timestamptz
	)) AS since
	FROM billing.receipt_lines l WHERE l.user_id = @user AND l.made_at = @made::timestamptz
)
SELECT s.since, coalesce(sum(c.amount_micros), 0)::bigint AS amount
FROM span s LEFT JOIN billing.charges c ON c.user_id = @user AND c.product IS NULL AND c.operation <> 'adjustment'
	AND c.period >= date_trunc('month', s.since, 'UTC')::date AND c.at > s.since AND c.at <= @made::timestamptz
GROUP BY 1
