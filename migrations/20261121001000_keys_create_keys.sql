-- +goose Up
CREATE SCHEMA keys;

CREATE TABLE keys.api_keys (
    id           uuid PRIMARY KEY,
    user_id      bigint NOT NULL,                  -- accounts.users
    name         text NOT NULL,
    tier         text NOT NULL CHECK (tier IN ('starter', 'growth', 'scale')),
    mode         text NOT NULL CHECK (mode IN ('live', 'test')),
    hash         bytea NOT NULL UNIQUE,            -- SHA-256 of the whole key
    last_four    text NOT NULL,
    created_at   timestamptz NOT NULL,
    revoked_at   timestamptz,
    last_used_at timestamptz
);
CREATE INDEX api_keys_user ON keys.api_keys (user_id);

-- Requests of a key by operation and minute. Partitioned by month, which are made ahead: old months are dropped whole.
-- What finds no month lies in the default partition.
CREATE TABLE keys.usage_minutes (
    key_id     uuid NOT NULL,
    operation  text NOT NULL,
    minute     timestamptz NOT NULL,
    requests   bigint NOT NULL,
    failed     bigint NOT NULL,                    -- answered 4xx or 5xx
    total_us   bigint NOT NULL,                    -- microseconds of all together
    min_us     bigint NOT NULL,
    max_us     bigint NOT NULL,
    histogram  integer[] NOT NULL,                 -- requests by duration, in fixed steps; the empty ones at the end are left out
    PRIMARY KEY (key_id, operation, minute)
) PARTITION BY RANGE (minute);
CREATE TABLE keys.usage_minutes_rest PARTITION OF keys.usage_minutes DEFAULT;

-- The same by day (UTC), written in the same transaction: ninety days of a busy key are a hundred thousand minutes.
CREATE TABLE keys.usage_days (
    key_id     uuid NOT NULL,
    operation  text NOT NULL,
    day        date NOT NULL,
    requests   bigint NOT NULL,
    failed     bigint NOT NULL,
    total_us   bigint NOT NULL,
    min_us     bigint NOT NULL,
    max_us     bigint NOT NULL,
    histogram  integer[] NOT NULL,
    PRIMARY KEY (key_id, day, operation)
) PARTITION BY RANGE (day);
CREATE TABLE keys.usage_days_rest PARTITION OF keys.usage_days DEFAULT;

-- Free calls that an account has used with live keys, for ever, and those that processes hold ready for it.
CREATE TABLE keys.free_calls (
    user_id bigint PRIMARY KEY,
    used    bigint NOT NULL CHECK (used >= 0)
);

-- What other modules may read.
CREATE VIEW keys.pub_api_key AS
SELECT id, user_id, name, tier, mode, created_at, revoked_at, last_used_at FROM keys.api_keys;

-- +goose Down
DROP SCHEMA keys CASCADE;
