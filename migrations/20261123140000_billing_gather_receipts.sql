-- +goose Up
-- Each purchase that has a receipt, and when the receipt was made. Null: it waits for one.
CREATE TABLE billing.receipt_lines (
	charge_id bigint PRIMARY KEY,
	user_id bigint NOT NULL,
	bought_at timestamptz NOT NULL,
	made_at timestamptz
);
CREATE INDEX receipt_lines_made ON billing.receipt_lines (user_id, made_at);
CREATE INDEX receipt_lines_waiting ON billing.receipt_lines (bought_at) WHERE made_at IS NULL;

-- +goose Down
DROP TABLE billing.receipt_lines;
