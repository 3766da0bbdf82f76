-- Of the figures of a list and those that they replace or follow: how many are stated in both, and how many differ by more than so many times.
-- Figures of zero are those of commitments that have just begun or have ended.
WITH pair AS (
	SELECT DISTINCT ON (n.line) n.*, c.committed AS committed_before, c.contributed AS contributed_before, c.distributed AS distributed_before,
		c.nav AS nav_before, c.net_irr_percent AS irr_before, c.multiple AS multiple_before, c.vintage_year AS vintage_before
	FROM lp_list n
	JOIN people.lps l USING (name_key, state)
	JOIN people.lp_investments i ON i.lp_id = l.id AND i.fund_key = n.fund_key
	JOIN people.lp_commitments c ON c.investment_id = i.id AND c.as_of <= n.as_of
	ORDER BY n.line, c.as_of DESC
)
SELECT x.field, count(*) AS compared,
	count(*) FILTER (WHERE greatest(abs(x.now), abs(x.before)) > x.times * least(abs(x.now), abs(x.before))) AS changed
FROM pair p
CROSS JOIN LATERAL (VALUES
	('commitments.committed', p.committed::numeric, p.committed_before::numeric, 3),
	('commitments.committed, 100 times', p.committed, p.committed_before, 100),
	('commitments.contributed, 100 times', p.contributed, p.contributed_before, 100),
	('commitments.distributed, 100 times', p.distributed, p.distributed_before, 100),
	('commitments.nav, 100 times', p.nav, p.nav_before, 100),
	('commitments.net_irr_percent', p.net_irr_percent, p.irr_before, 30),
	('commitments.multiple', p.multiple, p.multiple_before, 3),
	('commitments.vintage_year', p.vintage_year, p.vintage_before, 1)
) x (field, now, before, times)
WHERE x.now <> 0 AND x.before <> 0
GROUP BY 1
ORDER BY 1
