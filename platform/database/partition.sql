DO $$
DECLARE
	definition text;
BEGIN
	PERFORM pg_advisory_xact_lock(hashtextextended('partitions of {{table}}', 0));
	IF to_regclass('{{table}}_{{month}}') IS NULL THEN
		LOCK TABLE {{table}}_rest IN ACCESS EXCLUSIVE MODE;
		CREATE TABLE {{table}}_{{month}} (LIKE {{table}} INCLUDING ALL);
		ALTER TABLE {{table}}_rest DISABLE TRIGGER USER; -- of a table whose rows are never changed: this only moves them
		WITH moved AS (DELETE FROM {{table}}_rest WHERE {{column}} >= '{{from}} 00:00:00+00' AND {{column}} < '{{to}} 00:00:00+00' RETURNING *)
			INSERT INTO {{table}}_{{month}} SELECT * FROM moved;
		ALTER TABLE {{table}}_rest ENABLE TRIGGER USER;
		ALTER TABLE {{table}} ATTACH PARTITION {{table}}_{{month}} FOR VALUES FROM ('{{from}} 00:00:00+00') TO ('{{to}} 00:00:00+00');
		-- Triggers of rows come with the table; those of statements are for statements about the table itself.
		FOR definition IN
			SELECT replace(pg_get_triggerdef(oid), ' ON {{table}} ', ' ON {{table}}_{{month}} ')
			FROM pg_trigger
			WHERE tgrelid = '{{table}}'::regclass AND NOT tgisinternal AND tgtype & 1 = 0
		LOOP
			EXECUTE definition;
		END LOOP;
	END IF;
END $$
