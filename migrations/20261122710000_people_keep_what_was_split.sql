-- +goose Up
-- Uids under which a person was known together with another, until the operator split the two: what was bought under them counts
-- for both.
CREATE TABLE people.origins (
    uid        text NOT NULL COLLATE "C", -- of the person that the split made
    former_uid text NOT NULL COLLATE "C",
    PRIMARY KEY (uid, former_uid)
);

-- What is bought of the person that keeps the uid, after the split: it counts for that person alone. It leads to the person as
-- an alias.
ALTER TABLE people.splits ADD COLUMN kept_uid text COLLATE "C";
UPDATE people.splits SET kept_uid = 'per_' || translate(left(md5('kept|' || uid || '|' || crd), 16), '0189', 'ghij');
ALTER TABLE people.splits ALTER COLUMN kept_uid SET NOT NULL;
INSERT INTO people.origins (uid, former_uid) SELECT new_uid, uid FROM people.splits;
INSERT INTO people.origins (uid, former_uid) SELECT s.new_uid, a.uid FROM people.splits s JOIN people.aliases a ON a.person_uid = s.uid
ON CONFLICT DO NOTHING;
INSERT INTO people.aliases (uid, person_uid)
SELECT s.kept_uid, coalesce(a.person_uid, s.uid) FROM people.splits s LEFT JOIN people.aliases a ON a.uid = s.uid
ON CONFLICT DO NOTHING;

-- +goose StatementBegin
CREATE FUNCTION people.unit_of(person text) RETURNS text LANGUAGE sql STABLE AS $$
    -- What a purchase of a person is of now: since a split, the part that kept the uid.
    SELECT coalesce((SELECT s.kept_uid FROM people.splits s WHERE s.uid = person ORDER BY s.created_at DESC, s.crd DESC LIMIT 1), person)
$$;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE FUNCTION people.units_of(person text) RETURNS text[] LANGUAGE sql STABLE AS $$
    -- What else entitles to a person: purchases under former uids, and those from before a split.
    SELECT ARRAY(
        SELECT a.uid FROM people.aliases a WHERE a.person_uid = person
        UNION SELECT o.former_uid FROM people.origins o
        WHERE o.uid = person OR o.uid IN (SELECT a.uid FROM people.aliases a WHERE a.person_uid = person)
        ORDER BY 1
    )
$$;
-- +goose StatementEnd

-- +goose Down
DROP FUNCTION people.units_of(text), people.unit_of(text);
DELETE FROM people.aliases a USING people.splits s WHERE a.uid = s.kept_uid;
ALTER TABLE people.splits DROP COLUMN kept_uid;
DROP TABLE people.origins;
