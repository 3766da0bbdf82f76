-- The ingestions that brought the figures which the list replaces, or which came before its own.
SELECT run_id
FROM (
	SELECT DISTINCT ON (i.id) c.run_id
	FROM lp_list n
	JOIN people.lps l USING (name_key, state)
	JOIN people.lp_investments i ON i.lp_id = l.id AND i.fund_key = n.fund_key
	JOIN people.lp_commitments c ON c.investment_id = i.id AND c.as_of <= n.as_of
	ORDER BY i.id, c.as_of DESC
) x
GROUP BY run_id
ORDER BY count(*) DESC, run_id DESC
