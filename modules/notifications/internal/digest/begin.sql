-- Accounts that do not want digests know everything up to now: turned on again, a digest does not tell of the time between.
UPDATE notifications.digests d SET day = @day::date, low = @high, low_at = @now, high = @high, high_at = @now, mail = NULL
FROM notifications.preferences p
WHERE p.user_id = d.user_id AND NOT p.activity_digest AND d.day < @day::date
