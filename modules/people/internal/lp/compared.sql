-- What a list changes, by field: how many figures and LPs can be compared, and how many of them differ.
WITH pair AS (
	-- Each row, with the figures that it replaces or follows. Figures of zero are those of commitments that have just begun or have
	-- ended. What was paid stays when a commitment ends, so only before it may be zero.
	SELECT DISTINCT ON (n.line) n.*, c.committed AS committed_before, c.contributed AS contributed_before, c.distributed AS distributed_before,
		c.nav AS nav_before, c.net_irr_percent AS irr_before, c.multiple AS multiple_before, c.vintage_year AS vintage_before, c.gp_name AS gp_before,
		c.as_of = n.as_of AS same_day
	FROM {{before}}
	ORDER BY n.line, c.as_of DESC
), known AS MATERIALIZED (
	SELECT l.name_key, l.state, i.fund_key, f.committed, f.as_of = l.as_of AS latest
	FROM people.lp_investments i
	JOIN people.lp_figures f ON f.investment_id = i.id
	JOIN people.lps l ON l.id = i.lp_id
), listed AS MATERIALIZED (
	SELECT DISTINCT ON (name_key, state, fund_key) name_key, state, fund_key, committed
	FROM lp_list
	ORDER BY name_key, state, fund_key, as_of DESC
), stated AS MATERIALIZED (
	SELECT n.*, k.fund_key IS NULL AS is_new FROM listed n LEFT JOIN known k USING (name_key, state, fund_key)
), left_behind AS MATERIALIZED (
	-- What the latest figures of the list's LPs have, and the list lacks.
	SELECT k.fund_key
	FROM known k
	WHERE k.latest AND (k.name_key, k.state) IN (SELECT name_key, state FROM listed)
		AND NOT EXISTS (SELECT FROM listed n WHERE (n.name_key, n.state, n.fund_key) = (k.name_key, k.state, k.fund_key))
), counted AS (
	SELECT 'commitments.lp, funds that other LPs had' AS field, true AS compared, is_new AND fund_key IN (SELECT fund_key FROM left_behind) AS changed
	FROM stated
	UNION ALL
	SELECT 'commitments.lp, commitments of other LPs', true, is_new AND EXISTS (SELECT FROM known k WHERE k.fund_key = n.fund_key AND k.committed = n.committed)
	FROM stated n
	UNION ALL
	SELECT 'commitments.lp, names of funds', true,
		name_key IN (SELECT fund_key FROM known) AND (name_key, state) NOT IN (SELECT name_key, state FROM known)
	FROM stated
	UNION ALL
	SELECT 'lps, with other funds than before', true, count(*) FILTER (WHERE is_new) * 10 > count(*) * 9
	FROM stated n
	JOIN (SELECT name_key, state FROM known GROUP BY 1, 2 HAVING count(*) >= 5) k USING (name_key, state)
	GROUP BY name_key, state
	HAVING count(*) >= 5
	UNION ALL
	-- Commitments hardly ever change, except for those in other currencies. One that is empty now differs, too.
	SELECT 'lps, with other commitments than before', true,
		count(*) FILTER (WHERE committed IS NULL OR abs(committed - committed_before) > CASE WHEN same_day THEN 0.01 ELSE 0.05 END * committed_before) * 2 >= count(*)
	FROM pair
	WHERE committed_before > 0
	GROUP BY name_key, state, as_of
	HAVING count(*) >= 5
	UNION ALL
	SELECT x.field, x.was IS NOT NULL AND x.is IS NOT NULL, lower(x.was) <> lower(x.is)
	FROM lp_list_lps n
	JOIN people.lps l USING (name_key, state), LATERAL (VALUES
		('lps.entity_type', l.entity_type, n.entity_type), ('lps.city', l.city, n.city), ('lps.country', l.country, n.country)
	) x (field, was, "is")
	UNION ALL
	SELECT x.field, x.compared, x.changed
	FROM pair p, LATERAL (
		SELECT x.field, before <> 0 AND (now <> 0 OR now = 0 AND paid), greatest(abs(now), abs(before)) > times * least(abs(now), abs(before))
		FROM (VALUES
			('commitments.committed', p.committed::numeric, p.committed_before::numeric, 3, false),
			('commitments.committed, 100 times', p.committed, p.committed_before, 100, false),
			('commitments.contributed, 100 times', p.contributed, p.contributed_before, 100, true),
			('commitments.distributed, 100 times', p.distributed, p.distributed_before, 100, true),
			('commitments.nav, 100 times', p.nav, p.nav_before, 100, false),
			('commitments.net_irr_percent', p.net_irr_percent, p.irr_before, 30, false),
			('commitments.multiple', p.multiple, p.multiple_before, 3, false),
			('commitments.vintage_year', p.vintage_year, p.vintage_before, 1, false)
		) x (field, now, before, times, paid)
		UNION ALL VALUES
			-- What was paid since the beginning hardly ever becomes less.
			('commitments.contributed, less than before', p.contributed_before > 0, p.contributed < 0.9 * p.contributed_before),
			('commitments.distributed, less than before', p.distributed_before > 0, p.distributed < 0.9 * p.distributed_before),
			('commitments.committed, of the same day', p.same_day, abs(p.committed - p.committed_before) > 0.01 * p.committed_before),
			('commitments.net_irr_percent, 5 points', p.irr_before IS NOT NULL, abs(p.net_irr_percent - p.irr_before) > 5),
			('commitments.gp_name', p.gp_before IS NOT NULL, lower(p.gp_name) <> lower(p.gp_before)),
			-- The multiple is what was distributed and what remains, over what was contributed. This must have held before.
			('commitments.multiple, of the other figures',
				abs(p.multiple_before - (p.distributed_before + p.nav_before) / nullif(p.contributed_before, 0)::double precision) <= 0.05 + 0.1 * abs(p.multiple_before),
				abs(p.multiple - (p.distributed + p.nav) / nullif(p.contributed, 0)::double precision) > 0.05 + 0.1 * abs(p.multiple))
	) x (field, compared, changed)
)
SELECT field, count(*) AS compared, count(*) FILTER (WHERE changed) AS changed
FROM counted
WHERE compared AND changed IS NOT NULL
GROUP BY 1
HAVING bool_or(changed)
ORDER BY 1
