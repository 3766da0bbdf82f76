-- Notes how far the digests of some accounts have come. mails is empty where an account had nothing to be told.
INSERT INTO notifications.digests (user_id, day, low, low_at, high, high_at, mail)
SELECT k.user_id, @day::date, k.low, k.low_at, greatest(@high, k.low), @now, nullif(k.mail, '')
FROM unnest(@users::bigint[], @lows::bigint[], @sinces::timestamptz[], @mails::text[]) AS k(user_id, low, low_at, mail)
ON CONFLICT (user_id) DO UPDATE SET day = excluded.day, low = excluded.low, low_at = excluded.low_at, high = excluded.high,
	high_at = excluded.high_at, mail = excluded.mail
