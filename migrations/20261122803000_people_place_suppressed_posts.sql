-- +goose Up
-- Of which post a hash is: where decisions would put it today tells who is one with somebody suppressed. Rows of before do not say it.
ALTER TABLE people.suppressions ADD COLUMN crd text COLLATE "C", ADD COLUMN rule_uid text COLLATE "C";

-- +goose Down
ALTER TABLE people.suppressions DROP COLUMN crd, DROP COLUMN rule_uid;
