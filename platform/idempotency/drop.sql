-- Takes back the answers of operations, and the right to keep one from whoever executes a request of theirs now. The next request
-- with the key is executed again, under the same ID.
UPDATE platform.idempotency SET holder = gen_random_uuid(), lease_until = @now, status = NULL, answer = NULL WHERE operation = ANY (@operations)
