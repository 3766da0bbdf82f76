-- +goose Up
-- Searches of GPs that a person keeps, to run them again.
CREATE TABLE accounts.saved_searches (
    id               uuid PRIMARY KEY,
    user_id          bigint NOT NULL REFERENCES accounts.users (id) ON DELETE CASCADE,
    name             text NOT NULL,
    filters          jsonb NOT NULL CHECK (jsonb_typeof(filters) = 'object'),  -- parameters of GET /v1/gps, as sent
    last_run_at      timestamptz,                                              -- of these filters; null = never
    last_match_count bigint CHECK ((last_match_count IS NULL) = (last_run_at IS NULL)),
    created_at       timestamptz NOT NULL,
    updated_at       timestamptz NOT NULL                                      -- of the name or the filters
);
CREATE INDEX saved_searches_user ON accounts.saved_searches (user_id, created_at DESC, id);

-- +goose Down
DROP TABLE accounts.saved_searches;
