-- What was kept aside and is shown again, or is of a list that has been corrected.
WITH days AS (
	SELECT DISTINCT as_of FROM lp_list
), commitments AS (
	DELETE FROM people.lp_commitments_replaced r
	WHERE r.run_id = ANY (@before::bigint[]) AND (@dated OR r.as_of IN (SELECT as_of FROM days))
		OR EXISTS (SELECT FROM lp_taken_back b JOIN people.lp_commitments c USING (investment_id, as_of)
			WHERE (c.investment_id, c.as_of, c.run_id) = (r.investment_id, r.as_of, r.run_id))
)
DELETE FROM people.lp_listings_replaced r
WHERE r.run_id = ANY (@before) AND (@dated OR r.as_of IN (SELECT as_of FROM days))
	OR EXISTS (SELECT FROM lp_unlisted JOIN people.lp_listings k USING (lp_id, as_of)
		WHERE (k.lp_id, k.as_of, k.run_id) = (r.lp_id, r.as_of, r.run_id))
