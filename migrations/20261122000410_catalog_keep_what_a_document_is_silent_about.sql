-- +goose Up
-- The day of the edition that a filing's version was last taken from: two rosters of different months name the same filing
-- of an adviser, and the older must not replace the newer. Null = the document does not say.
ALTER TABLE catalog.filings ADD COLUMN edition date;
-- What a version does not speak of, because no document that it came from has the column; and what it says because of an
-- older edition only, with that edition's day. Null = nothing.
ALTER TABLE catalog.adviser_versions ADD COLUMN silent text[], ADD COLUMN kept jsonb;

-- +goose Down
ALTER TABLE catalog.adviser_versions DROP COLUMN silent, DROP COLUMN kept;
ALTER TABLE catalog.filings DROP COLUMN edition;
