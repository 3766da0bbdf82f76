-- +goose Up
CREATE SCHEMA platform;

-- Jobs written in the transaction of the facts they follow from; the worker's relay hands them to the queue.
CREATE TABLE platform.outbox (
    id          uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    type        text NOT NULL,
    payload     jsonb NOT NULL,
    task_id     text,                              -- natural key: a second job of the same key is the same job
    run_at      timestamptz,                       -- not before; null = now
    created_at  timestamptz NOT NULL DEFAULT now(),
    attempts    integer NOT NULL DEFAULT 0,
    last_error  text
);
CREATE INDEX outbox_created ON platform.outbox (created_at);

-- +goose Down
DROP SCHEMA platform CASCADE;
