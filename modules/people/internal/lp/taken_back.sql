-- The commitments of the days of a list that documents of the same name brought before, and whether the list still has them. Where the name has a date,
-- there is one such document, and those of all days count. Documents of one name that
-- share less than half of their names are lists of different owners.
CREATE TEMPORARY TABLE lp_taken_back ON COMMIT DROP AS
WITH brought AS MATERIALIZED (
	SELECT c.investment_id, c.as_of, i.lp_id, c.fund_name, l.name_key, l.state, i.fund_key
	FROM people.lp_commitments c
	JOIN people.lp_investments i ON i.id = c.investment_id
	JOIN people.lps l ON l.id = i.lp_id
	WHERE c.run_id = ANY (@before::bigint[]) AND (@dated OR c.as_of IN (SELECT as_of FROM lp_list))
), named AS MATERIALIZED (
	SELECT name_key AS name FROM lp_list UNION SELECT fund_key FROM lp_list
)
SELECT b.investment_id, b.as_of, b.lp_id, b.fund_name,
	EXISTS (SELECT FROM lp_list n WHERE (n.name_key, n.state, n.fund_key, n.as_of) = (b.name_key, b.state, b.fund_key, b.as_of)) AS listed
FROM brought b
WHERE (SELECT 2 * count(*) FILTER (WHERE name_key IN (SELECT name FROM named) OR fund_key IN (SELECT name FROM named)) >= count(*) FROM brought)
