-- +goose Up
-- A session that was opened on a sign-in page is its browser's: the cookie holds a secret, this its SHA-256. It has no
-- tokens. null: a session of the API.
ALTER TABLE accounts.sessions ADD COLUMN browser_hash bytea CHECK (length(browser_hash) = 32);
CREATE UNIQUE INDEX sessions_browser ON accounts.sessions (browser_hash) WHERE browser_hash IS NOT NULL;

-- +goose Down
ALTER TABLE accounts.sessions DROP COLUMN browser_hash;
