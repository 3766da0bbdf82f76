-- +goose Up
-- Up to which publication of the catalogue investments were matched: an override has one, and no arrival. All are matched anew.
DELETE FROM people.lp_matched;
ALTER TABLE people.lp_matched RENAME COLUMN arrival TO publication;

-- +goose Down
DELETE FROM people.lp_matched;
ALTER TABLE people.lp_matched RENAME COLUMN publication TO arrival;
