INSERT INTO notifications.daily AS d (user_id, kind, day, mails)
VALUES (@user, @kind, @day::text::date, ARRAY[@mail::bigint])
ON CONFLICT (user_id, kind, day) DO UPDATE
SET mails = CASE WHEN @mail::bigint = ANY (d.mails) THEN d.mails ELSE d.mails || @mail::bigint END
WHERE @mail::bigint = ANY (d.mails) OR cardinality(d.mails) < @most
RETURNING true
