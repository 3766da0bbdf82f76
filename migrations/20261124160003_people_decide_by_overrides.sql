-- +goose Up
-- Each decision and each suppression is of an override, which has its reason. Where a command and an override said the same, both are of
-- that override: deleting it takes both back. The order of decisions stays.
DROP VIEW people.pub_command;
DROP INDEX people.decisions_override;
UPDATE people.decisions d SET override_id = o.id FROM dataops.pub_override o
WHERE d.override_id IS NULL AND o.type = 'person_' || d.kind AND o.entity_id = d.uid AND o.field = coalesce(d.crd, '');
ALTER TABLE people.decisions ALTER COLUMN override_id SET NOT NULL, DROP COLUMN reason;
CREATE INDEX decisions_override ON people.decisions (override_id);

DROP INDEX people.suppressions_once;
UPDATE people.suppressions s SET override_id = o.id FROM dataops.pub_override o
WHERE s.override_id IS NULL AND o.type = 'person_suppress' AND o.entity_id = s.person_uid;
DELETE FROM people.suppressions s USING people.suppressions t
WHERE (s.key_hash, s.person_uid, s.of_uid, s.override_id) = (t.key_hash, t.person_uid, t.of_uid, t.override_id) AND s.ctid > t.ctid;
ALTER TABLE people.suppressions ALTER COLUMN override_id SET NOT NULL, DROP COLUMN reason;
CREATE UNIQUE INDEX suppressions_once ON people.suppressions (key_hash, person_uid, of_uid, override_id);
ALTER TABLE people.suppressed_at DROP COLUMN objected;

-- +goose Down
ALTER TABLE people.suppressed_at ADD COLUMN objected boolean NOT NULL DEFAULT false;
DROP INDEX people.suppressions_once;
ALTER TABLE people.suppressions ALTER COLUMN override_id DROP NOT NULL, ADD COLUMN reason text NOT NULL DEFAULT '';
ALTER TABLE people.suppressions ALTER COLUMN reason DROP DEFAULT;
CREATE UNIQUE INDEX suppressions_once ON people.suppressions (key_hash, person_uid, of_uid, override_id) NULLS NOT DISTINCT;
DROP INDEX people.decisions_override;
ALTER TABLE people.decisions ALTER COLUMN override_id DROP NOT NULL, ADD COLUMN reason text NOT NULL DEFAULT '';
ALTER TABLE people.decisions ALTER COLUMN reason DROP DEFAULT;
DELETE FROM people.decisions d USING people.decisions e WHERE d.override_id = e.override_id AND d.id > e.id;
CREATE UNIQUE INDEX decisions_override ON people.decisions (override_id);
