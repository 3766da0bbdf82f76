DELETE FROM platform.idempotency WHERE id IN (
    SELECT id FROM platform.idempotency WHERE created_at <= @before ORDER BY created_at LIMIT @most FOR UPDATE SKIP LOCKED)
