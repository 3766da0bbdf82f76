-- +goose Up
-- What founded_year is told from. The next derivation fills it for the rows that are there.
ALTER TABLE catalog.advisers ADD COLUMN founded_year_basis text CHECK (founded_year_basis IN ('registration', 'first_filing'));

-- +goose Down
ALTER TABLE catalog.advisers DROP COLUMN founded_year_basis;
