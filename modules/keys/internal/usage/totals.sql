SELECT coalesce(sum(requests) FILTER (WHERE day = @today), 0)::bigint AS today,
	coalesce(sum(failed) FILTER (WHERE day = @today), 0)::bigint AS today_failed,
	coalesce(sum(requests) FILTER (WHERE day >= @month), 0)::bigint AS month,
	coalesce(sum(failed) FILTER (WHERE day >= @month), 0)::bigint AS month_failed,
	coalesce(sum(requests), 0)::bigint AS "all", coalesce(sum(failed), 0)::bigint AS all_failed
FROM keys.usage_days
WHERE key_id IN (SELECT id FROM keys.api_keys WHERE user_id = @user AND (@key::uuid IS NULL OR id = @key))
