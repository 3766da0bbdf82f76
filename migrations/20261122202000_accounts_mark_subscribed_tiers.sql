-- +goose Up
-- The plan and the API tier are subscribed to apart from each other. What nobody subscribed to was given by a trial or a school,
-- and ends with it. A subscribed plan shows in the column tier, which then holds the plan's name; a subscribed API tier shows here.
ALTER TABLE accounts.users ADD COLUMN api_tier_subscribed boolean NOT NULL DEFAULT false;

-- +goose Down
ALTER TABLE accounts.users DROP COLUMN api_tier_subscribed;
