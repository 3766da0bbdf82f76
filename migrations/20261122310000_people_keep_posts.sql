-- +goose Up
CREATE SCHEMA people;

-- A person's post at one adviser: derived from the filings of the adviser, written anew when one of them changes.
CREATE TABLE people.posts (
    crd         text NOT NULL COLLATE "C",
    sight_uid   text NOT NULL COLLATE "C", -- of the first sighting at this adviser
    person_uid  text NOT NULL COLLATE "C", -- of the person's first sighting anywhere
    number      text COLLATE "C",          -- CRD number of the person, where filings give one
    last_key    text NOT NULL,             -- normal form of the names
    first_key   text NOT NULL,
    full_name   text NOT NULL,
    title       text,                      -- as filed last; several are joined by "; "
    acquired_on date,                      -- first of the month in which the first of them was acquired
    named_from  date NOT NULL,             -- first and last filing that names the person
    named_until date NOT NULL,
    left_before date,                      -- first filing with a Schedule A after that; null: none
    standing    text NOT NULL CHECK (standing IN ('team', 'alumni', 'lapsed')), -- lapsed: no notice has named the person for long
    source      text NOT NULL CHECK (source IN ('schedules', 'form_d')),
    city        text,                      -- of Form D
    state       text,
    sighted_in  text NOT NULL COLLATE "C", -- filing of the first sighting, on the day named_from
    PRIMARY KEY (crd, sight_uid)
);
CREATE INDEX posts_person ON people.posts (person_uid);
CREATE INDEX posts_sight ON people.posts (sight_uid);
CREATE INDEX posts_number ON people.posts (number) WHERE number IS NOT NULL;
CREATE INDEX posts_name ON people.posts (last_key, first_key);

-- What is known of an adviser's people, for honest figures.
CREATE TABLE people.firms (
    crd            text PRIMARY KEY COLLATE "C",
    schedules      integer NOT NULL, -- filings with a Schedule A
    schedules_from date,
    schedules_until date,
    notices        integer NOT NULL, -- Form D notices that name people
    notices_until  date
);

-- Uids that a person had before its records were merged with others.
CREATE TABLE people.aliases (
    uid        text PRIMARY KEY COLLATE "C",
    person_uid text NOT NULL COLLATE "C"
);
CREATE INDEX aliases_person ON people.aliases (person_uid);

-- The operator's word against the rules.
CREATE TABLE people.merges (
    uid        text PRIMARY KEY COLLATE "C", -- is the same person as
    into_uid   text NOT NULL COLLATE "C",
    reason     text NOT NULL,
    created_at timestamptz NOT NULL
);
CREATE TABLE people.splits (
    uid        text NOT NULL COLLATE "C",
    crd        text NOT NULL COLLATE "C",    -- whoever has the uid at this adviser is another person
    new_uid    text NOT NULL COLLATE "C",
    reason     text NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (uid, crd)
);

-- People who objected. Only hashes of what identifies them are kept, so that no later filing brings them back.
CREATE TABLE people.suppressions (
    key_hash   text PRIMARY KEY COLLATE "C",
    person_uid text NOT NULL COLLATE "C",
    reason     text NOT NULL,
    created_at timestamptz NOT NULL
);
CREATE INDEX suppressions_person ON people.suppressions (person_uid);

-- Up to where the catalogue was read.
CREATE TABLE people.progress (
    only_row     boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    processed_at timestamptz NOT NULL,
    arrival      bigint NOT NULL
);

-- +goose Down
DROP TABLE people.posts, people.firms, people.aliases, people.merges, people.splits, people.suppressions, people.progress;
DROP SCHEMA people;
