-- +goose Up
-- Only the migration before this one read it.
DROP VIEW dataops.pub_override;

-- +goose Down
SELECT 1;
