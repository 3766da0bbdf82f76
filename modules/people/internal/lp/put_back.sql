-- Of what a list takes back, the newest figures that a document with another name stated.
INSERT INTO people.lp_commitments
SELECT DISTINCT ON (r.investment_id, r.as_of) r.*
FROM people.lp_commitments_replaced r
JOIN lp_taken_back b USING (investment_id, as_of)
WHERE NOT b.listed AND r.run_id <> ALL (@before::bigint[])
ORDER BY r.investment_id, r.as_of, r.run_id DESC
