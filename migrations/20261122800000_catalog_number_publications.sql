-- +goose Up
-- What other modules compare to find out whether anything in the catalogue has changed: a load, or an operator's override.
CREATE VIEW catalog.pub_publication AS SELECT coalesce(max(seq), 0) AS seq FROM catalog.publications;

-- +goose Down
DROP VIEW catalog.pub_publication;
