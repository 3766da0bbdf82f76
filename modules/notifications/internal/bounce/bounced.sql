INSERT INTO notifications.bounces AS b (address_hash, bounces, first_at, last_at, last_mail)
VALUES (@hash, 1, @now, @now, @mail)
ON CONFLICT (address_hash) DO UPDATE
SET bounces = CASE WHEN b.last_at > @since THEN b.bounces + 1 ELSE 1 END, last_at = @now, last_mail = @mail
WHERE b.last_mail <> @mail
