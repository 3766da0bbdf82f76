SELECT i.id, c.fund_name AS fund, coalesce(c.gp_name, '') AS manager
FROM people.lp_investments i
JOIN people.lp_commitments c ON c.investment_id = i.id AND c.latest
ORDER BY i.id
