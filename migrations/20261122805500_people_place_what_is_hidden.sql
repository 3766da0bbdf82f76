-- +goose Up
-- Which posts suppressions keep out, found anew with each reading and decision: whoever they are of, what led to them, and whether the post
-- itself was objected to by command. Names are hashed. Rows of before name only the adviser; the next reading places them.
ALTER TABLE people.suppressed_at DROP CONSTRAINT suppressed_at_pkey;
ALTER TABLE people.suppressed_at
    ADD COLUMN sight_uid text    NOT NULL DEFAULT '' COLLATE "C",
    ADD COLUMN rule_uid  text    NOT NULL DEFAULT '' COLLATE "C",
    ADD COLUMN name_hash text    NOT NULL DEFAULT '' COLLATE "C",
    ADD COLUMN objected  boolean NOT NULL DEFAULT false,
    ADD PRIMARY KEY (crd, sight_uid, person_uid);
CREATE INDEX suppressed_at_person ON people.suppressed_at (person_uid);

-- +goose Down
DROP INDEX people.suppressed_at_person;
DELETE FROM people.suppressed_at a USING people.suppressed_at b WHERE a.crd = b.crd AND a.person_uid = b.person_uid AND a.sight_uid > b.sight_uid;
ALTER TABLE people.suppressed_at DROP CONSTRAINT suppressed_at_pkey, DROP COLUMN sight_uid, DROP COLUMN rule_uid, DROP COLUMN name_hash,
    DROP COLUMN objected;
ALTER TABLE people.suppressed_at ADD PRIMARY KEY (person_uid, crd);
