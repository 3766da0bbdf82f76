WITH new AS (INSERT INTO catalog.publications (run_id, reason) VALUES (@run, @reason) RETURNING seq)
SELECT seq FROM new, LATERAL pg_notify(@channel, seq::text)
