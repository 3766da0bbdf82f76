-- The newest figures of the investments that a list touches. Each field is of the latest date whose lists have a column for it.
WITH written AS (
	INSERT INTO people.lp_figures AS f
	SELECT c.investment_id, max(c.as_of) AS as_of,
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
		max(c.as_of) FILTER (WHERE 'multiple' <> ALL (c.lacks)) AS multiple_as_of
	FROM people.lp_commitments c
	WHERE c.investment_id IN (SELECT investment_id FROM lp_touched)
	GROUP BY c.investment_id
	ON CONFLICT (investment_id) DO UPDATE SET
		as_of = excluded.as_of, fund_name = excluded.fund_name, committed = excluded.committed, gp_name = excluded.gp_name,
		vintage_year = excluded.vintage_year, contributed = excluded.contributed, contributed_as_of = excluded.contributed_as_of,
		distributed = excluded.distributed, distributed_as_of = excluded.distributed_as_of, nav = excluded.nav, nav_as_of = excluded.nav_as_of,
		net_irr_percent = excluded.net_irr_percent, net_irr_percent_as_of = excluded.net_irr_percent_as_of,
		multiple = excluded.multiple, multiple_as_of = excluded.multiple_as_of
	WHERE f IS DISTINCT FROM excluded
	RETURNING f.investment_id
)
INSERT INTO people.lp_changed SELECT investment_id FROM written ON CONFLICT DO NOTHING
