-- +goose Up
-- Commitments, and what lists state of LPs, that lists of several names state of the same day: those that are not shown. If the list that is
-- shown is corrected and lacks them, they are shown again.
CREATE TABLE people.lp_commitments_replaced (
	LIKE people.lp_commitments,
	PRIMARY KEY (investment_id, as_of, run_id),
	FOREIGN KEY (investment_id) REFERENCES people.lp_investments ON DELETE CASCADE
);
CREATE TABLE people.lp_listings_replaced (
	LIKE people.lp_listings,
	PRIMARY KEY (lp_id, as_of, run_id),
	FOREIGN KEY (lp_id) REFERENCES people.lps ON DELETE CASCADE
);

-- +goose Down
DROP TABLE people.lp_listings_replaced;
DROP TABLE people.lp_commitments_replaced;
