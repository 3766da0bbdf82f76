-- Each field is of the latest date whose lists have a column for it.
SELECT i.id, max(c.as_of) AS as_of,
	(array_agg(c.fund_name ORDER BY c.as_of DESC))[1] AS fund_name,
	(array_agg(c.committed ORDER BY c.as_of DESC))[1] AS committed,
	(array_agg(c.gp_name ORDER BY c.as_of DESC) FILTER (WHERE 'gp_name' <> ALL (c.lacks)))[1] AS gp_name,
	(array_agg(c.vintage_year ORDER BY c.as_of DESC) FILTER (WHERE 'vintage_year' <> ALL (c.lacks)))[1] AS vintage_year,
	(array_agg(c.contributed ORDER BY c.as_of DESC) FILTER (WHERE 'contributed' <> ALL (c.lacks)))[1] AS contributed,
	max(c.as_of) FILTER (WHERE 'contributed' <> ALL (c.lacks)) AS contributed_as_of,
	(array_agg(c.distributed ORDER BY c.as_of DESC) FILTER (WHERE 'distributed' <> ALL (c.lacks)))[1] AS distributed,
	max(c.as_of) FILTER (WHERE 'distributed' <> ALL (c.lacks)) AS distributed_as_of,
	(array_agg(c.nav ORDER BY c.as_of DESC) FILTER (WHERE 'nav' <> ALL (c.lacks)))[1] AS nav,
	max(c.as_of) FILTER (WHERE 'nav' <> ALL (c.lacks)) AS nav_as_of,
	(array_agg(c.net_irr_percent ORDER BY c.as_of DESC) FILTER (WHERE 'net_irr_percent' <> ALL (c.lacks)))[1] AS net_irr_percent,
	max(c.as_of) FILTER (WHERE 'net_irr_percent' <> ALL (c.lacks)) AS net_irr_percent_as_of,
	(array_agg(c.multiple ORDER BY c.as_of DESC) FILTER (WHERE 'multiple' <> ALL (c.lacks)))[1] AS multiple,
	max(c.as_of) FILTER (WHERE 'multiple' <> ALL (c.lacks)) AS multiple_as_of,
	i.match_method, i.match_crd, i.match_fund_id, i.match_confidence
FROM (SELECT * FROM people.lp_investments WHERE lp_id = @id ORDER BY fund_key, id LIMIT @limit OFFSET @offset) i
JOIN people.lp_commitments c ON c.investment_id = i.id
GROUP BY i.id, i.fund_key, i.match_method, i.match_crd, i.match_fund_id, i.match_confidence
ORDER BY i.fund_key, i.id
