-- Funds of an LP that a list lacks although it has others of the same LP, list and day, each with one that is new for the LP and may be the same under
-- another name: the commitment is equal, the vintage year is not another, and no less was paid. Without vintage years more of them are needed, because
-- commitments are often round.
WITH known AS MATERIALIZED (
	SELECT k.*, bool_or(listed) OVER (PARTITION BY lp_id, run_id, as_of) OR as_of = max(as_of) OVER (PARTITION BY lp_id)
		AND NOT bool_or(listed) OVER (PARTITION BY lp_id) AS followed
	FROM (
		SELECT DISTINCT ON (i.id) l.id AS lp_id, l.name AS lp, l.name_key, l.state, i.fund_key, s.fund_name, s.committed, s.vintage_year, s.contributed, s.run_id, s.as_of,
			(l.name_key, l.state, i.fund_key) IN (SELECT name_key, state, fund_key FROM lp_list) AS listed
		FROM (SELECT name_key, state, max(as_of) AS as_of FROM lp_list_lps GROUP BY 1, 2) n
		JOIN people.lps l USING (name_key, state)
		JOIN people.lp_investments i ON i.lp_id = l.id
		JOIN people.lp_statements s ON s.investment_id = i.id AND s.as_of <= n.as_of
		ORDER BY i.id, s.as_of DESC, s.run_id DESC
	) k
), gone AS MATERIALIZED (
	SELECT *, count(*) OVER (PARTITION BY lp_id) AS funds FROM known WHERE followed AND NOT listed AND committed > 0
), listed AS MATERIALIZED (
	SELECT *, count(*) OVER (PARTITION BY name_key, state) AS funds,
		(name_key, state, fund_key) NOT IN (SELECT name_key, state, fund_key FROM known) AS is_new
	FROM (SELECT DISTINCT ON (name_key, state, fund_key) * FROM lp_list ORDER BY name_key, state, fund_key, as_of DESC) n
), pair AS MATERIALIZED (
	SELECT g.lp_id, g.lp, g.state, g.fund_key, g.fund_name AS fund, n.fund_key AS now_key, n.fund_name AS now, g.vintage_year = n.vintage_year AS sure,
		g.funds AS gone, n.funds AS has
	FROM gone g
	JOIN listed n ON n.is_new AND (n.name_key, n.state, n.committed) = (g.name_key, g.state, g.committed)
		AND coalesce(n.vintage_year = g.vintage_year, true) AND coalesce(n.contributed >= 0.9 * g.contributed, true)
), moved AS (
	SELECT lp_id
	FROM (
		SELECT lp_id, gone, has, least(count(DISTINCT fund_key), count(DISTINCT now_key)) AS pairs,
			least(count(DISTINCT fund_key) FILTER (WHERE sure), count(DISTINCT now_key) FILTER (WHERE sure)) AS sure
		FROM pair
		GROUP BY lp_id, gone, has
	) p
	WHERE sure >= 3 AND sure * 2 > gone OR pairs >= 5 AND pairs * 2 > gone AND pairs * 5 > has
)
SELECT DISTINCT ON (lp, state, fund_key) lp, state, fund, now
FROM pair
WHERE lp_id IN (SELECT lp_id FROM moved)
ORDER BY lp, state, fund_key, now_key
