-- +goose Up
-- Saved searches, for alerts. hash is that of the filters: jsonb writes equal objects alike.
CREATE VIEW accounts.pub_saved_search AS
SELECT id, user_id, name, filters, md5(filters::text) AS hash FROM accounts.saved_searches;

-- +goose Down
DROP VIEW accounts.pub_saved_search;
