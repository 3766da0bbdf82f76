-- What documents of the same name stated before of the days of a list, and whether the list still has it. Where the name has a date, there is one such
-- document, and what it stated of all days counts. A document that shares less than half of its names with the list is another owner's.
CREATE TEMPORARY TABLE lp_taken_back ON COMMIT DROP AS
WITH named AS MATERIALIZED (
	SELECT name_key AS name FROM lp_list UNION SELECT fund_key FROM lp_list
), brought AS MATERIALIZED (
	SELECT s.investment_id, s.as_of, s.run_id, i.lp_id, s.fund_name, l.name_key, l.state, i.fund_key,
		avg((l.name_key IN (SELECT name FROM named) OR i.fund_key IN (SELECT name FROM named))::int) OVER (PARTITION BY s.run_id) AS share
	FROM people.lp_statements s
	JOIN people.lp_investments i ON i.id = s.investment_id
	JOIN people.lps l ON l.id = i.lp_id
	WHERE s.run_id = ANY (@before::bigint[]) AND (@dated OR s.as_of IN (SELECT as_of FROM lp_list))
)
SELECT DISTINCT ON (b.investment_id, b.as_of) b.investment_id, b.as_of, b.lp_id, b.fund_name,
	EXISTS (SELECT FROM lp_list n WHERE (n.name_key, n.state, n.fund_key, n.as_of) = (b.name_key, b.state, b.fund_key, b.as_of)) AS listed,
	EXISTS (SELECT FROM people.lp_statements s WHERE (s.investment_id, s.as_of) = (b.investment_id, b.as_of) AND s.run_id <> ALL (@before)) AS shared
FROM brought b
WHERE b.share >= 0.5
ORDER BY b.investment_id, b.as_of, b.run_id DESC
