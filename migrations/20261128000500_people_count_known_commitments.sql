-- +goose Up
-- Of how many investments total_committed is the sum. Like it, this follows from the commitments.
ALTER TABLE people.lps ADD COLUMN committed_known integer NOT NULL DEFAULT 0;
UPDATE people.lps l
SET committed_known = s.known
FROM (
	SELECT i.lp_id, count(f.committed) AS known
	FROM people.lp_investments i JOIN people.lp_figures f ON f.investment_id = i.id
	GROUP BY i.lp_id
) s
WHERE l.id = s.lp_id AND s.known > 0;

-- +goose Down
ALTER TABLE people.lps DROP COLUMN committed_known;
