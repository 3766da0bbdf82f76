-- +goose Up
-- The growth of assets over 1, 2, 3 and 5 years, from the stored history: hundredths of a percent a year, and the assets and the day of
-- the filing that it begins with. All end with the same filing. Digit n (octal, from the right) of the reasons is the number of the
-- reason why the nth horizon has no growth; 0 means that there is one, or that the history was not derived since this migration.
ALTER TABLE catalog.advisers
    ADD COLUMN aum_growth_1y bigint, ADD COLUMN aum_before_1y bigint, ADD COLUMN aum_from_1y date,
    ADD COLUMN aum_growth_2y bigint, ADD COLUMN aum_before_2y bigint, ADD COLUMN aum_from_2y date,
    ADD COLUMN aum_growth_3y bigint, ADD COLUMN aum_before_3y bigint, ADD COLUMN aum_from_3y date,
    ADD COLUMN aum_growth_5y bigint, ADD COLUMN aum_before_5y bigint, ADD COLUMN aum_from_5y date,
    ADD COLUMN aum_latest bigint, ADD COLUMN aum_to date, ADD COLUMN aum_growth_reasons smallint NOT NULL DEFAULT 0;

-- +goose Down
ALTER TABLE catalog.advisers
    DROP COLUMN aum_growth_1y, DROP COLUMN aum_before_1y, DROP COLUMN aum_from_1y,
    DROP COLUMN aum_growth_2y, DROP COLUMN aum_before_2y, DROP COLUMN aum_from_2y,
    DROP COLUMN aum_growth_3y, DROP COLUMN aum_before_3y, DROP COLUMN aum_from_3y,
    DROP COLUMN aum_growth_5y, DROP COLUMN aum_before_5y, DROP COLUMN aum_from_5y,
    DROP COLUMN aum_latest, DROP COLUMN aum_to, DROP COLUMN aum_growth_reasons;
