INSERT INTO notifications.daily AS d (user_id, kind, day, mails)
VALUES (@user, '', @day::text::date, ARRAY[1::bigint])
ON CONFLICT (user_id, kind, day) DO UPDATE SET mails = d.mails || (cardinality(d.mails) + 1)::bigint
WHERE cardinality(d.mails) < @most
RETURNING cardinality(mails)
