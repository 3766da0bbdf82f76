-- +goose Up
-- Natural keys of runs that were started once: by a schedule, or by hand. Whoever starts one again is told that it was.
CREATE TABLE platform.started_runs (
    task_id    text PRIMARY KEY,
    started_at timestamptz NOT NULL DEFAULT now()
);

-- +goose Down
DROP TABLE platform.started_runs;
