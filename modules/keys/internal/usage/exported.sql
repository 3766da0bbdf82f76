SELECT key_id::text AS key_id, day::text AS date, operation AS endpoint, requests, failed
FROM keys.usage_days
WHERE key_id IN (SELECT id FROM keys.api_keys WHERE user_id = @user)
ORDER BY day, usage_days.key_id, operation
