-- Drops all temporary tables but the batch's own, so that the next document can have its own.
DO $$ DECLARE names text; BEGIN
	SELECT string_agg(oid::regclass::text, ', ') INTO names FROM pg_class
	WHERE relnamespace = pg_my_temp_schema() AND relkind = 'r' AND relname !~ '^b_';
	IF names IS NOT NULL THEN EXECUTE 'DROP TABLE ' || names; END IF;
END $$
