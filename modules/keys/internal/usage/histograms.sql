SELECT day, (h.place - 1)::integer AS step, sum(n)::bigint AS n
FROM keys.usage_days, unnest(histogram) WITH ORDINALITY AS h (n, place)
WHERE key_id IN (SELECT id FROM keys.api_keys WHERE user_id = @user AND (@key::uuid IS NULL OR id = @key)) AND day BETWEEN @from AND @to
	AND n > 0
GROUP BY day, h.place
