SELECT day, operation, sum(requests)::bigint AS requests, sum(failed)::bigint AS failed, sum(total_us)::bigint AS total_us,
	min(min_us) AS min_us, max(max_us) AS max_us
FROM keys.usage_days
WHERE key_id IN (SELECT id FROM keys.api_keys WHERE user_id = @user AND (@key::uuid IS NULL OR id = @key)) AND day BETWEEN @from AND @to
GROUP BY day, operation
