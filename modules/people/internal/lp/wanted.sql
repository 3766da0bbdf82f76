SELECT i.id, c.fund_name AS fund, coalesce(c.gp_name, '') AS manager
FROM people.lp_investments i
JOIN people.lp_commitments c ON c.investment_id = i.id AND c.latest
WHERE i.match_method IS DISTINCT FROM @operator
ORDER BY i.id
