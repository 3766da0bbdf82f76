-- +goose Up
-- A person's name is from the source that the post states: all people are read again.
DELETE FROM people.progress;

-- +goose Down
SELECT 1;
