-- +goose Up
-- A command and an override can both suppress a person: each has its own rows, with its own reason. Deleting the override leaves
-- those of the command. Rows of before do not say which they are: they count as by command, which shows nobody who objected.
ALTER TABLE people.suppressions ADD COLUMN override_id bigint; -- of the register of overrides; NULL = by command
ALTER TABLE people.suppressions DROP CONSTRAINT suppressions_pkey;
CREATE UNIQUE INDEX suppressions_once ON people.suppressions (key_hash, person_uid, override_id) NULLS NOT DISTINCT;

-- +goose Down
DELETE FROM people.suppressions s USING people.suppressions o
WHERE s.key_hash = o.key_hash AND s.person_uid = o.person_uid AND s.override_id IS NOT NULL AND s.ctid <> o.ctid;
DROP INDEX people.suppressions_once;
ALTER TABLE people.suppressions DROP COLUMN override_id, ADD PRIMARY KEY (key_hash, person_uid);
