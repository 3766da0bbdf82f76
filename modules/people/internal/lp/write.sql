WITH listed AS (
	SELECT DISTINCT ON (i.id, n.as_of) i.id AS investment_id, n.*
	FROM lp_list n
	JOIN people.lps l USING (name_key, state)
	JOIN people.lp_investments i ON i.lp_id = l.id AND i.fund_key = n.fund_key
	ORDER BY i.id, n.as_of, n.line
), written AS (
	INSERT INTO people.lp_commitments AS c (investment_id, as_of, latest, fund_name, gp_name, vintage_year,
		committed, contributed, distributed, nav, net_irr_percent, multiple, run_id)
	SELECT investment_id, as_of, false, fund_name, gp_name, vintage_year, committed, contributed, distributed, nav, net_irr_percent, multiple, @run_id
	FROM listed
	ON CONFLICT (investment_id, as_of) DO UPDATE SET
		fund_name = excluded.fund_name, gp_name = excluded.gp_name, vintage_year = excluded.vintage_year, committed = excluded.committed,
		contributed = excluded.contributed, distributed = excluded.distributed, nav = excluded.nav,
		net_irr_percent = excluded.net_irr_percent, multiple = excluded.multiple, run_id = excluded.run_id
	WHERE (c.fund_name, c.gp_name, c.vintage_year, c.committed, c.contributed, c.distributed, c.nav, c.net_irr_percent, c.multiple)
		IS DISTINCT FROM (excluded.fund_name, excluded.gp_name, excluded.vintage_year, excluded.committed, excluded.contributed,
			excluded.distributed, excluded.nav, excluded.net_irr_percent, excluded.multiple)
	RETURNING (xmax = 0) AS is_new
)
SELECT (SELECT count(*) FROM written WHERE is_new) AS new,
	(SELECT count(*) FROM written WHERE NOT is_new) AS changed,
	(SELECT count(*) FROM listed) - (SELECT count(*) FROM written) AS unchanged
