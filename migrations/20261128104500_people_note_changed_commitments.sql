-- +goose Up
-- Investments whose figures have changed since the last matching, which tells of them in the log of changes.
CREATE TABLE people.lp_changed (
	investment_id bigint PRIMARY KEY REFERENCES people.lp_investments ON DELETE CASCADE
);

-- +goose Down
DROP TABLE people.lp_changed;
