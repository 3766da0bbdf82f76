-- +goose Up
CREATE SCHEMA dataops;

-- One row an ingested document.
CREATE TABLE dataops.ingestion_runs (
    id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    source          text NOT NULL,                 -- roster, adv_archive, fund_list; 'unknown' until told
    document        text NOT NULL,                 -- base name of the file or last part of the URL
    location        text NOT NULL,                 -- path or URL as given
    sha256          text,
    bytes           bigint,
    state           text NOT NULL CHECK (state IN ('running', 'completed', 'failed')),
    started_at      timestamptz NOT NULL DEFAULT now(),
    finished_at     timestamptz,
    rows_read       bigint NOT NULL DEFAULT 0,
    filings_new     bigint NOT NULL DEFAULT 0,
    filings_changed bigint NOT NULL DEFAULT 0,
    filings_unchanged bigint NOT NULL DEFAULT 0,
    advisers_new    bigint NOT NULL DEFAULT 0,
    advisers_changed bigint NOT NULL DEFAULT 0,
    advisers_unchanged bigint NOT NULL DEFAULT 0,
    funds_new       bigint NOT NULL DEFAULT 0,
    funds_changed   bigint NOT NULL DEFAULT 0,
    funds_unchanged bigint NOT NULL DEFAULT 0,
    quarantined     bigint NOT NULL DEFAULT 0,
    error           text,
    CHECK ((state = 'running') = (finished_at IS NULL))
);
CREATE INDEX ingestion_runs_started ON dataops.ingestion_runs (started_at DESC);

-- Rows that were not loaded, and why.
CREATE TABLE dataops.quarantine (
    id      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    run_id  bigint NOT NULL REFERENCES dataops.ingestion_runs (id),
    file    text NOT NULL,
    line    bigint NOT NULL,
    reason  text NOT NULL,
    raw     text NOT NULL
);
CREATE INDEX quarantine_run ON dataops.quarantine (run_id);

-- +goose Down
DROP SCHEMA dataops CASCADE;
