-- +goose Up
-- What each list states, by the ingestion that loaded it. people.lp_commitments has what is shown: of each day and field, what the list loaded last
-- states. When a list is corrected, what the others state is still known.
CREATE TABLE people.lp_statements (
	LIKE people.lp_commitments,
	PRIMARY KEY (investment_id, as_of, run_id),
	FOREIGN KEY (investment_id) REFERENCES people.lp_investments ON DELETE CASCADE
);
CREATE INDEX lp_statements_run ON people.lp_statements (run_id);
-- Of earlier lists only what is shown is known.
INSERT INTO people.lp_statements SELECT * FROM people.lp_commitments;
DROP INDEX people.lp_commitments_run;
ALTER TABLE people.lp_listings DROP CONSTRAINT lp_listings_pkey, ADD PRIMARY KEY (lp_id, as_of, run_id);

-- +goose Down
DELETE FROM people.lp_listings k USING people.lp_listings l WHERE (l.lp_id, l.as_of) = (k.lp_id, k.as_of) AND l.run_id > k.run_id;
ALTER TABLE people.lp_listings DROP CONSTRAINT lp_listings_pkey, ADD PRIMARY KEY (lp_id, as_of);
CREATE INDEX lp_commitments_run ON people.lp_commitments (run_id);
DROP TABLE people.lp_statements;
