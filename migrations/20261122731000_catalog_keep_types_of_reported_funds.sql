-- +goose Up
-- How many private funds of each type a roster counts, under the names of Schedule D 7.B.(1) item 10. Null = it does not say.
ALTER TABLE catalog.adviser_versions ADD COLUMN reported_fund_types jsonb;

-- +goose Down
ALTER TABLE catalog.adviser_versions DROP COLUMN reported_fund_types;
