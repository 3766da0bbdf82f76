SELECT i.id, c.fund_name AS fund, coalesce((
		SELECT o.gp_name FROM people.lp_commitments o
		WHERE o.investment_id = i.id AND 'gp_name' <> ALL (o.lacks)
		ORDER BY o.as_of DESC LIMIT 1
	), '') AS manager
FROM people.lp_investments i
JOIN people.lp_commitments c ON c.investment_id = i.id AND c.latest
ORDER BY i.id
