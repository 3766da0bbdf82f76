-- What documents of the same name stated before of the days of a list, and whether the list still has it. Where the name has a date, there is one such
-- document, and what it stated of all days counts. Documents of one name that
-- share less than half of their names are lists of different owners.
CREATE TEMPORARY TABLE lp_taken_back ON COMMIT DROP AS
WITH brought AS MATERIALIZED (
	SELECT DISTINCT ON (s.investment_id, s.as_of) s.investment_id, s.as_of, i.lp_id, s.fund_name, l.name_key, l.state, i.fund_key
	FROM people.lp_statements s
	JOIN people.lp_investments i ON i.id = s.investment_id
	JOIN people.lps l ON l.id = i.lp_id
	WHERE s.run_id = ANY (@before::bigint[]) AND (@dated OR s.as_of IN (SELECT as_of FROM lp_list))
	ORDER BY s.investment_id, s.as_of, s.run_id DESC
), named AS MATERIALIZED (
	SELECT name_key AS name FROM lp_list UNION SELECT fund_key FROM lp_list
)
SELECT b.investment_id, b.as_of, b.lp_id, b.fund_name,
	EXISTS (SELECT FROM lp_list n WHERE (n.name_key, n.state, n.fund_key, n.as_of) = (b.name_key, b.state, b.fund_key, b.as_of)) AS listed,
	EXISTS (SELECT FROM people.lp_statements s WHERE (s.investment_id, s.as_of) = (b.investment_id, b.as_of) AND s.run_id <> ALL (@before)) AS shared
FROM brought b
WHERE (SELECT 2 * count(*) FILTER (WHERE name_key IN (SELECT name FROM named) OR fund_key IN (SELECT name FROM named)) >= count(*) FROM brought)
