-- +goose Up
-- What providers say of a person, field by field. What filings say is not here: it is read from people.posts.
CREATE TABLE people.profiles (
    person_uid text PRIMARY KEY COLLATE "C", -- may have become an alias since
    fields     jsonb NOT NULL,               -- {name: {value, source, confidence, fetched_at}}
    asked      jsonb NOT NULL,               -- {provider: {at, outcome}}: what each said last
    updated_at timestamptz NOT NULL
);
CREATE INDEX profiles_updated ON people.profiles (updated_at);

-- Jobs that enrich the people of an adviser.
CREATE TABLE people.enrichments (
    id          uuid PRIMARY KEY,
    crd         text NOT NULL COLLATE "C",
    state       text NOT NULL CHECK (state IN ('queued', 'running', 'completed', 'failed')),
    created_at  timestamptz NOT NULL,
    started_at  timestamptz,
    finished_at timestamptz,
    lease_until timestamptz NOT NULL,       -- of those that have not ended: after it nobody is taken to work on them
    runs        integer NOT NULL DEFAULT 0, -- how often a worker began
    error       text CHECK (error IN ('interrupted', 'not_started', 'timed_out', 'internal')),
    outcome     jsonb NOT NULL DEFAULT '{}', -- counts
    CHECK ((finished_at IS NOT NULL) = (state IN ('completed', 'failed'))),
    CHECK ((error IS NOT NULL) = (state = 'failed'))
);
CREATE UNIQUE INDEX enrichments_open ON people.enrichments (crd) WHERE state IN ('queued', 'running');
CREATE INDEX enrichments_crd ON people.enrichments (crd, created_at);
CREATE INDEX enrichments_finished ON people.enrichments (finished_at);

-- Accounts that asked for a job: they alone may read it.
CREATE TABLE people.enrichment_askers (
    enrichment_id uuid NOT NULL REFERENCES people.enrichments ON DELETE CASCADE,
    user_id       bigint NOT NULL,
    asked_at      timestamptz NOT NULL,
    started       boolean NOT NULL, -- the job began because this account asked
    PRIMARY KEY (enrichment_id, user_id)
);
CREATE INDEX enrichment_askers_user ON people.enrichment_askers (user_id, asked_at);

-- Advisers of which an enrichment has completed: their people are found by search and have profiles.
CREATE TABLE people.enriched_firms (
    crd          text PRIMARY KEY COLLATE "C",
    first_at     timestamptz NOT NULL,
    last_at      timestamptz NOT NULL
);

-- +goose Down
DROP TABLE people.enriched_firms, people.enrichment_askers, people.enrichments, people.profiles;
