-- +goose Up
CREATE SCHEMA analytics;

-- The newest answer of each provider of regulatory events about each adviser: the 24-hour cache, and what is shown when
-- the provider is down.
CREATE TABLE analytics.regulatory_answers (
    crd        text NOT NULL,
    provider   text NOT NULL,
    edition    text NOT NULL,                      -- what the answer rests on, where the provider can tell; else empty
    answer     jsonb NOT NULL,                     -- events, and what the provider counts without telling
    checked_at timestamptz NOT NULL,
    PRIMARY KEY (crd, provider)
);

-- +goose Down
DROP SCHEMA analytics CASCADE;
