-- Watchlists, for module notifications: its digests are about many accounts at once.

-- +goose Up
CREATE VIEW accounts.pub_watch AS
SELECT user_id, adviser_crd, alert_enabled, created_at FROM accounts.watchlist_items;

-- +goose Down
DROP VIEW accounts.pub_watch;
