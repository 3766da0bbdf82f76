SELECT id::text, type, payload::text, task_id, run_at, attempts
FROM platform.outbox ORDER BY attempts, created_at, id LIMIT @limit FOR UPDATE SKIP LOCKED
