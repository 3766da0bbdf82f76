-- What a list states, in place of what documents of its name stated before.
WITH listed AS MATERIALIZED (
	SELECT DISTINCT ON (i.id, n.as_of) i.id AS investment_id, n.*
	FROM lp_list n
	JOIN people.lps l USING (name_key, state)
	JOIN people.lp_investments i ON i.lp_id = l.id AND i.fund_key = n.fund_key
	ORDER BY i.id, n.as_of, n.line
), corrected AS (
	DELETE FROM people.lp_statements
	WHERE run_id = ANY (@before::bigint[]) AND ((investment_id, as_of) IN (SELECT investment_id, as_of FROM lp_taken_back)
		OR (investment_id, as_of) IN (SELECT investment_id, as_of FROM listed))
)
INSERT INTO people.lp_statements (investment_id, as_of, fund_name, gp_name, vintage_year, committed, contributed, distributed, nav, net_irr_percent, multiple, lacks, run_id)
SELECT investment_id, as_of, fund_name, gp_name, vintage_year, committed, contributed, distributed, nav, net_irr_percent, multiple, coalesce(@lacks::text[], '{}'), @run_id
FROM listed
