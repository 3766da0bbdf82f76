-- Makes a request the holder's if it is new, older than @since, or left by whoever executed it. No row: it is not to be had.
INSERT INTO platform.idempotency AS i (user_id, key_hash, id, operation, fingerprint, holder, lease_until, created_at)
VALUES (@user, @key, @id::uuid, @operation, @fingerprint, @holder::uuid, @until, @now)
ON CONFLICT (user_id, key_hash) DO UPDATE SET
    id = CASE WHEN i.created_at <= @since THEN excluded.id ELSE i.id END,
    created_at = CASE WHEN i.created_at <= @since THEN excluded.created_at ELSE i.created_at END,
    operation = excluded.operation, fingerprint = excluded.fingerprint, holder = excluded.holder,
    lease_until = excluded.lease_until, answered = i.answered AND i.created_at > @since, status = NULL, answer = NULL
WHERE i.created_at <= @since OR i.lease_until <= @now AND i.fingerprint = excluded.fingerprint
RETURNING id::text, answered
