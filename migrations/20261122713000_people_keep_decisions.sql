-- +goose Up
-- What operators decided about who is who, in the order in which they did: each rests on those before it. Whoever takes one back
-- removes its row, and the others are applied anew.
CREATE TABLE people.decisions (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind        text        NOT NULL CHECK (kind IN ('merge', 'split')),
    uid         text        NOT NULL COLLATE "C", -- who is merged or split
    crd         text        COLLATE "C",          -- of a split: the adviser at which it is another person
    to_uid      text        NOT NULL COLLATE "C", -- into whom, or the uid of that other person
    reason      text        NOT NULL,
    override_id bigint,                           -- of the register of overrides; NULL = by command
    created_at  timestamptz NOT NULL,
    CHECK ((kind = 'split') = (crd IS NOT NULL))
);
CREATE UNIQUE INDEX decisions_override ON people.decisions (override_id);
INSERT INTO people.decisions (kind, uid, crd, to_uid, reason, created_at)
SELECT 'merge', uid, NULL, into_uid, reason, created_at FROM people.merges
UNION ALL SELECT 'split', uid, crd, new_uid, reason, created_at FROM people.splits
ORDER BY 6, 1, 2;

-- What is bought of a person is bought under the person's newest unit, else under the uid. A person gets a unit on being told apart
-- from another with whom purchases were shared until then. A unit leads to the person as an alias.
CREATE TABLE people.units (
    uid  text    NOT NULL COLLATE "C",
    n    integer NOT NULL,
    unit text    NOT NULL COLLATE "C" UNIQUE,
    PRIMARY KEY (uid, n)
);
INSERT INTO people.units (uid, n, unit)
SELECT uid, row_number() OVER (PARTITION BY uid ORDER BY created_at, crd), kept_uid FROM people.splits;

-- The uid by the rules alone, before any decision; person_uid is the one after all of them.
ALTER TABLE people.posts ADD COLUMN rule_uid text COLLATE "C";
UPDATE people.posts SET rule_uid = sight_uid;
UPDATE people.posts p SET rule_uid = f.sight_uid
FROM (
    SELECT DISTINCT ON (number) number, sight_uid, last_key, first_key FROM people.posts WHERE number IS NOT NULL
    ORDER BY number, named_from, length(sighted_in), sighted_in, sight_uid
) f
WHERE p.number = f.number AND (p.last_key = f.last_key OR p.first_key = f.first_key);
ALTER TABLE people.posts ALTER COLUMN rule_uid SET NOT NULL;
CREATE INDEX posts_rule ON people.posts (rule_uid);
CREATE INDEX posts_decided ON people.posts (person_uid) WHERE person_uid <> rule_uid;

-- Whom a former uid leads to by the rules; NULL for a unit, which belongs to the person of people.units.
ALTER TABLE people.aliases ADD COLUMN rule_uid text COLLATE "C";
UPDATE people.aliases a SET rule_uid = coalesce(
    (SELECT p.rule_uid FROM people.posts p WHERE p.rule_uid = a.uid LIMIT 1),
    (SELECT p.rule_uid FROM people.posts p WHERE p.rule_uid = a.person_uid LIMIT 1),
    (SELECT p.rule_uid FROM people.posts p WHERE p.person_uid = a.person_uid ORDER BY p.named_from, p.crd LIMIT 1),
    a.person_uid)
WHERE NOT EXISTS (SELECT FROM people.units u WHERE u.unit = a.uid);

DROP TABLE people.merges, people.splits;

-- Two people may have a hash in common. To show somebody again, whose suppression was taken back, the advisers at which it held are
-- read anew.
ALTER TABLE people.suppressions DROP CONSTRAINT suppressions_pkey, ADD PRIMARY KEY (key_hash, person_uid);
CREATE TABLE people.suppressed_at (
    person_uid text NOT NULL COLLATE "C",
    crd        text NOT NULL COLLATE "C",
    PRIMARY KEY (person_uid, crd)
);

-- +goose StatementBegin
CREATE OR REPLACE FUNCTION people.unit_of(person text) RETURNS text LANGUAGE sql STABLE AS $$
    -- What a purchase of a person is of now.
    SELECT coalesce((SELECT u.unit FROM people.units u WHERE u.uid = person ORDER BY u.n DESC LIMIT 1), person)
$$;
-- +goose StatementEnd

-- What the rules found for an investment; match_method and so on are what is shown: the operator's word, else this.
ALTER TABLE people.lp_investments
    ADD COLUMN found_method     text,
    ADD COLUMN found_crd        text COLLATE "C",
    ADD COLUMN found_fund_id    text COLLATE "C",
    ADD COLUMN found_confidence double precision;
UPDATE people.lp_investments SET found_method = match_method, found_crd = match_crd, found_fund_id = match_fund_id,
    found_confidence = match_confidence
WHERE match_method <> 'operator';

-- +goose Down
ALTER TABLE people.lp_investments
    DROP COLUMN found_method, DROP COLUMN found_crd, DROP COLUMN found_fund_id, DROP COLUMN found_confidence;
DROP TABLE people.suppressed_at;
DELETE FROM people.suppressions s USING people.suppressions o WHERE s.key_hash = o.key_hash AND s.person_uid > o.person_uid;
ALTER TABLE people.suppressions DROP CONSTRAINT suppressions_pkey, ADD PRIMARY KEY (key_hash);
CREATE TABLE people.merges (
    uid        text        PRIMARY KEY COLLATE "C",
    into_uid   text        NOT NULL COLLATE "C",
    reason     text        NOT NULL,
    created_at timestamptz NOT NULL
);
CREATE TABLE people.splits (
    uid        text        NOT NULL COLLATE "C",
    crd        text        NOT NULL COLLATE "C",
    new_uid    text        NOT NULL COLLATE "C",
    reason     text        NOT NULL,
    created_at timestamptz NOT NULL,
    kept_uid   text        NOT NULL COLLATE "C",
    PRIMARY KEY (uid, crd)
);
INSERT INTO people.merges (uid, into_uid, reason, created_at)
SELECT DISTINCT ON (uid) uid, to_uid, reason, created_at FROM people.decisions WHERE kind = 'merge' ORDER BY uid, id DESC;
INSERT INTO people.splits (uid, crd, new_uid, reason, created_at, kept_uid)
SELECT DISTINCT ON (d.uid, d.crd) d.uid, d.crd, d.to_uid, d.reason, d.created_at, people.unit_of(d.uid)
FROM people.decisions d WHERE d.kind = 'split' ORDER BY d.uid, d.crd, d.id DESC;
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION people.unit_of(person text) RETURNS text LANGUAGE sql STABLE AS $$
    -- What a purchase of a person is of now: since a split, the part that kept the uid.
    SELECT coalesce((SELECT s.kept_uid FROM people.splits s WHERE s.uid = person ORDER BY s.created_at DESC, s.crd DESC LIMIT 1), person)
$$;
-- +goose StatementEnd
ALTER TABLE people.aliases DROP COLUMN rule_uid;
DROP INDEX people.posts_rule, people.posts_decided;
ALTER TABLE people.posts DROP COLUMN rule_uid;
DROP TABLE people.units, people.decisions;
