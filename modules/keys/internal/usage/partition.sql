DO $$
BEGIN
	PERFORM pg_advisory_xact_lock(hashtextextended('keys.usage partitions', 0));
	IF to_regclass('keys.{{name}}') IS NULL THEN
		LOCK TABLE keys.{{table}}_rest IN ACCESS EXCLUSIVE MODE;
		CREATE TABLE keys.{{name}} (LIKE keys.{{table}} INCLUDING ALL);
		WITH moved AS (DELETE FROM keys.{{table}}_rest WHERE {{column}} >= '{{from}} 00:00:00+00' AND {{column}} < '{{to}} 00:00:00+00' RETURNING *)
			INSERT INTO keys.{{name}} SELECT * FROM moved;
		ALTER TABLE keys.{{table}} ATTACH PARTITION keys.{{name}} FOR VALUES FROM ('{{from}} 00:00:00+00') TO ('{{to}} 00:00:00+00');
	END IF;
END $$
