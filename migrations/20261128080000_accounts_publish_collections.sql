-- +goose Up
-- The GPs of collections, for other modules.
CREATE VIEW accounts.pub_collection_item AS
SELECT c.user_id, c.id AS collection_id, i.adviser_crd
FROM accounts.collections c LEFT JOIN accounts.collection_items i ON i.collection_id = c.id;

-- +goose Down
DROP VIEW accounts.pub_collection_item;
