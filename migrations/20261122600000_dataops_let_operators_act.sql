-- +goose Up
-- The uses of configured sources: by an operator, by the schedule, on the command line. Each gathers its runs, one a document.
CREATE TABLE dataops.extractions (
    id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    source_name  text NOT NULL,
    trigger      text NOT NULL CHECK (trigger IN ('operator', 'queue', 'schedule', 'command')),
    requested_by bigint,                           -- the operator's account; null = nobody over HTTP
    accept       text[] NOT NULL DEFAULT '{}',     -- checks of the quality gate that it lets pass
    state        text NOT NULL CHECK (state IN ('queued', 'running', 'completed', 'failed')),
    created_at   timestamptz NOT NULL,
    started_at   timestamptz,
    finished_at  timestamptz,
    listed       bigint NOT NULL DEFAULT 0,        -- files
    known        bigint NOT NULL DEFAULT 0,
    loaded       bigint NOT NULL DEFAULT 0,
    awaited      bigint NOT NULL DEFAULT 0,
    error        text,
    CHECK ((state IN ('completed', 'failed')) = (finished_at IS NOT NULL))
);
CREATE UNIQUE INDEX extractions_active ON dataops.extractions (source_name) WHERE state IN ('queued', 'running');
CREATE INDEX extractions_source ON dataops.extractions (source_name, id DESC);
ALTER TABLE dataops.ingestion_runs ADD COLUMN extraction_id bigint REFERENCES dataops.extractions (id);
CREATE INDEX ingestion_runs_extraction ON dataops.ingestion_runs (extraction_id) WHERE extraction_id IS NOT NULL;

-- Alerts are open, acknowledged or resolved. Of one kind, source and subject one is open at a time.
ALTER TABLE dataops.alerts
    ADD COLUMN subject         text NOT NULL DEFAULT '', -- what it is about: a series of documents, a field of a metric
    ADD COLUMN times           bigint NOT NULL DEFAULT 1, -- how often it was raised while it was open
    ADD COLUMN raised_at       timestamptz,              -- the last time
    ADD COLUMN acknowledged_at timestamptz,
    ADD COLUMN acknowledged_by bigint,                   -- accounts
    ADD COLUMN resolved_by     bigint,                   -- null = it closed by itself
    ADD COLUMN resolution      text;
UPDATE dataops.alerts a SET subject = coalesce(r.series, '') FROM dataops.ingestion_runs r WHERE r.id = a.run_id;
UPDATE dataops.alerts SET raised_at = created_at;
UPDATE dataops.alerts a SET resolved_at = now(), resolution = 'a later alert says the same'
WHERE resolved_at IS NULL AND EXISTS (
    SELECT 1 FROM dataops.alerts b
    WHERE b.kind = a.kind AND b.source_name IS NOT DISTINCT FROM a.source_name AND b.subject = a.subject AND b.resolved_at IS NULL AND b.id > a.id);
ALTER TABLE dataops.alerts ALTER COLUMN raised_at SET NOT NULL;
CREATE UNIQUE INDEX alerts_one_open ON dataops.alerts (kind, coalesce(source_name, ''), subject) WHERE resolved_at IS NULL;
ALTER TABLE dataops.alerts DROP CONSTRAINT alerts_kind_check;
ALTER TABLE dataops.alerts ADD CONSTRAINT alerts_kind_check
    CHECK (kind IN ('universe_shrunk', 'keys_doubled', 'column_lost', 'table_lost', 'rows_unusable', 'source_failed', 'edition_doubtful',
        'source_late', 'quarantine_share', 'duplicate_rows', 'vanished_advisers', 'null_share', 'aum_jumps', 'fund_sums', 'future_dates',
        'names_reverted'));

-- Entities that somebody wants refreshed.
CREATE TABLE dataops.refresh_queue (
    id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    entity_type   text NOT NULL CHECK (entity_type IN ('gp', 'person', 'lp', 'source')),
    entity_id     text NOT NULL,
    reason        text NOT NULL,
    priority      bigint NOT NULL,                 -- the higher, the sooner
    state         text NOT NULL CHECK (state IN ('queued', 'running', 'done', 'failed')),
    result        text,
    extraction_id bigint REFERENCES dataops.extractions (id),
    requested_by  bigint NOT NULL,
    attempts      bigint NOT NULL DEFAULT 0,
    created_at    timestamptz NOT NULL,
    lease_until   timestamptz,                     -- of one that is running
    finished_at   timestamptz,
    CHECK ((state = 'running') = (lease_until IS NOT NULL)),
    CHECK ((state IN ('done', 'failed')) = (finished_at IS NOT NULL))
);
CREATE UNIQUE INDEX refresh_queue_active ON dataops.refresh_queue (entity_type, entity_id) WHERE state IN ('queued', 'running');
CREATE INDEX refresh_queue_next ON dataops.refresh_queue (priority DESC, id) WHERE state IN ('queued', 'running');

-- How good the data was on each day.
CREATE TABLE dataops.quality_metrics (
    day         date NOT NULL,
    metric      text NOT NULL,
    dimension   text NOT NULL DEFAULT '',          -- a field, a reason; empty = all
    affected    bigint NOT NULL,                   -- rows that the metric finds
    total       bigint NOT NULL,                   -- of so many
    value       double precision NOT NULL,         -- the share, or the number where there is no share
    sample      jsonb NOT NULL DEFAULT '[]',       -- the first rows that it finds
    computed_at timestamptz NOT NULL,
    PRIMARY KEY (day, metric, dimension)
);

-- +goose Down
DROP TABLE dataops.quality_metrics, dataops.refresh_queue;
DELETE FROM dataops.alerts WHERE kind IN ('source_late', 'quarantine_share', 'duplicate_rows', 'vanished_advisers', 'null_share', 'aum_jumps',
    'fund_sums', 'future_dates', 'names_reverted');
ALTER TABLE dataops.alerts DROP CONSTRAINT alerts_kind_check;
ALTER TABLE dataops.alerts ADD CONSTRAINT alerts_kind_check
    CHECK (kind IN ('universe_shrunk', 'keys_doubled', 'column_lost', 'table_lost', 'rows_unusable', 'source_failed', 'edition_doubtful'));
DROP INDEX dataops.alerts_one_open;
ALTER TABLE dataops.alerts DROP COLUMN subject, DROP COLUMN times, DROP COLUMN raised_at, DROP COLUMN acknowledged_at, DROP COLUMN acknowledged_by,
    DROP COLUMN resolved_by, DROP COLUMN resolution;
ALTER TABLE dataops.ingestion_runs DROP COLUMN extraction_id;
DROP TABLE dataops.extractions;
