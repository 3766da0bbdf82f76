SELECT i.id, c.as_of, c.fund_name, c.gp_name, c.vintage_year, c.committed, c.contributed, c.distributed, c.nav, c.net_irr_percent, c.multiple,
	i.match_method, i.match_crd, i.match_fund_id, i.match_confidence
FROM people.lp_investments i
JOIN people.lp_commitments c ON c.investment_id = i.id AND c.latest
WHERE i.lp_id = @id
ORDER BY i.fund_key, i.id
LIMIT @limit OFFSET @offset
