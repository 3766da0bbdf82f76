-- +goose Up
-- Under which ID somebody was known whom a suppression leaves out: once a merge is taken back, a command can name each of those who were
-- merged. Of rows of before it is the person's ID.
ALTER TABLE people.suppressions ADD COLUMN of_uid text COLLATE "C";
UPDATE people.suppressions SET of_uid = person_uid;
ALTER TABLE people.suppressions ALTER COLUMN of_uid SET NOT NULL;
DROP INDEX people.suppressions_once;
CREATE UNIQUE INDEX suppressions_once ON people.suppressions (key_hash, person_uid, of_uid, override_id) NULLS NOT DISTINCT;

-- +goose Down
DELETE FROM people.suppressions s USING people.suppressions o
WHERE s.key_hash = o.key_hash AND s.person_uid = o.person_uid AND s.override_id IS NOT DISTINCT FROM o.override_id AND s.of_uid > o.of_uid;
DROP INDEX people.suppressions_once;
ALTER TABLE people.suppressions DROP COLUMN of_uid;
CREATE UNIQUE INDEX suppressions_once ON people.suppressions (key_hash, person_uid, override_id) NULLS NOT DISTINCT;
