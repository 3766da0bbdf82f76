-- +goose Up
-- What commands decided, in the form of the overrides that replace it. The next three migrations carry it over, with the schema of each
-- table. Of several merges of one person by command, the newest is the one that is shown.
CREATE VIEW people.pub_command AS
SELECT DISTINCT ON (type, entity_id, field) * FROM (
    SELECT 'person_' || d.kind AS type, d.uid AS entity_id, coalesce(d.crd, '') AS field, to_jsonb(coalesce(d.crd, d.to_uid)) AS value,
        to_jsonb(d.uid) AS original, d.reason, d.created_at
    FROM people.decisions d WHERE d.override_id IS NULL
    UNION ALL
    SELECT 'person_suppress', s.person_uid, '', to_jsonb(true), to_jsonb(false), s.reason, s.created_at
    FROM people.suppressions s WHERE s.override_id IS NULL
) c ORDER BY type, entity_id, field, created_at DESC;

-- +goose Down
DROP VIEW IF EXISTS people.pub_command; -- a later migration drops it, too
