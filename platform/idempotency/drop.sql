-- Takes back the answers of operations, and the right to keep one from whoever executes a request of theirs now. The next request
-- with the key is executed again, under the same ID. It is remembered which were answered with 2xx: a failure has delivered nothing.
-- The lease ends when it began: the next request may have read its clock before this statement ran, and must not wait.
UPDATE platform.idempotency SET
    holder = gen_random_uuid(), lease_until = created_at, answered = answered OR coalesce(status < 300, false), status = NULL, answer = NULL
WHERE operation = ANY (@operations)
