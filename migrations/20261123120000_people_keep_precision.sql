-- +goose Up
-- Whether of the day on which a title was acquired the year alone is stated. All people are read again, since the rules have changed.
ALTER TABLE people.posts ADD COLUMN acquired_year_only boolean NOT NULL DEFAULT false;
DELETE FROM people.progress;

-- +goose Down
ALTER TABLE people.posts DROP COLUMN acquired_year_only;
