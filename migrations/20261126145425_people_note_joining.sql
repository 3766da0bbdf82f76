-- +goose Up
-- When a person joined an adviser, as far as filings show it: not before joined_after, which is null if no earlier schedule omits the
-- person, and by joined_before. joined_monthly: a month of a title narrowed it. All people are read again.
ALTER TABLE people.posts
    ADD COLUMN joined_after   date,
    ADD COLUMN joined_before  date,
    ADD COLUMN joined_monthly boolean NOT NULL DEFAULT false;
UPDATE people.posts SET joined_before = named_from;
ALTER TABLE people.posts ALTER COLUMN joined_before SET NOT NULL, ALTER COLUMN joined_monthly DROP DEFAULT;
DELETE FROM people.progress;

-- +goose Down
ALTER TABLE people.posts DROP COLUMN joined_after, DROP COLUMN joined_before, DROP COLUMN joined_monthly;
