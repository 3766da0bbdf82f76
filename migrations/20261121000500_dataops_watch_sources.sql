-- +goose Up
-- What a run was of, and what its document looked like: later documents of the same series are held against it.
ALTER TABLE dataops.ingestion_runs
    ADD COLUMN series        text,                 -- documents that follow one another: 'roster/registered', 'iapd_feed/sec', …
    ADD COLUMN source_name   text,                 -- the configured source that brought it; null = given by hand
    ADD COLUMN advisers_seen bigint,               -- distinct advisers that the document names
    ADD COLUMN duplicates    bigint,               -- rows that repeat an earlier row's key
    ADD COLUMN layout        jsonb;                -- columns by table, as found
CREATE INDEX ingestion_runs_series ON dataops.ingestion_runs (series, id DESC) WHERE state = 'completed';

-- Things an operator must look at.
CREATE TABLE dataops.alerts (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    run_id      bigint REFERENCES dataops.ingestion_runs (id),
    source_name text,
    kind        text NOT NULL CHECK (kind IN ('universe_shrunk', 'keys_doubled', 'column_lost', 'source_failed')),
    reason      text NOT NULL,
    created_at  timestamptz NOT NULL DEFAULT now(),
    resolved_at timestamptz
);
CREATE INDEX alerts_open ON dataops.alerts (created_at DESC) WHERE resolved_at IS NULL;

-- The last state of each configured source.
CREATE TABLE dataops.sources (
    name          text PRIMARY KEY,
    last_checked  timestamptz,
    last_success  timestamptz,
    last_error    text,
    failures      integer NOT NULL DEFAULT 0       -- in a row
);

-- What was fetched from a source, so that the same edition is not fetched twice.
CREATE TABLE dataops.fetched (
    source_name   text NOT NULL REFERENCES dataops.sources (name),
    address       text NOT NULL,
    etag          text,
    last_modified text,
    bytes         bigint,
    sha256        text,
    uploaded_on   text,                            -- the index's own mark of an edition: months are restated in place
    run_id        bigint REFERENCES dataops.ingestion_runs (id),
    fetched_at    timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (source_name, address)
);

-- +goose Down
DROP TABLE dataops.fetched, dataops.sources, dataops.alerts;
DROP INDEX dataops.ingestion_runs_series;
ALTER TABLE dataops.ingestion_runs
    DROP COLUMN series, DROP COLUMN source_name, DROP COLUMN advisers_seen, DROP COLUMN duplicates, DROP COLUMN layout;
