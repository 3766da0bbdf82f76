-- Writes a job and tells the relays, once a transaction, with its commit.
WITH row AS (
	INSERT INTO platform.outbox (type, payload, task_id, run_at)
	VALUES (@type, @payload, nullif(@task, ''), @run_at) RETURNING id
)
SELECT pg_notify(@channel, '') FROM row
