-- Drops all temporary tables but the batch's own.
DO $$ DECLARE names text; BEGIN
	SELECT string_agg(oid::regclass::text, ', ') INTO names FROM pg_class
	WHERE relnamespace = pg_my_temp_schema() AND relkind = 'r' AND relname !~ '^b_';
	IF names IS NOT NULL THEN EXECUTE 'DROP TABLE ' || names; END IF;
END $$
