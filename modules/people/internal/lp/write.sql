-- What is shown of the days that a list states or takes back: of each field, what the newest list that has its column states. lacks are the fields that
-- no list of the day has.
WITH touched AS MATERIALIZED (
	SELECT investment_id, as_of FROM people.lp_statements WHERE run_id = @run_id UNION SELECT investment_id, as_of FROM lp_taken_back
), folded AS MATERIALIZED (
	SELECT investment_id, as_of, max(run_id) AS run_id, bool_or(run_id = @run_id) AS listed,
		(array_agg(fund_name ORDER BY run_id DESC))[1] AS fund_name,
		(array_agg(committed ORDER BY run_id DESC))[1] AS committed,
		(array_agg(contributed ORDER BY run_id DESC) FILTER (WHERE 'contributed' <> ALL (lacks)))[1] AS contributed,
		(array_agg(distributed ORDER BY run_id DESC) FILTER (WHERE 'distributed' <> ALL (lacks)))[1] AS distributed,
		(array_agg(gp_name ORDER BY run_id DESC) FILTER (WHERE 'gp_name' <> ALL (lacks)))[1] AS gp_name,
		(array_agg(multiple ORDER BY run_id DESC) FILTER (WHERE 'multiple' <> ALL (lacks)))[1] AS multiple,
		(array_agg(nav ORDER BY run_id DESC) FILTER (WHERE 'nav' <> ALL (lacks)))[1] AS nav,
		(array_agg(net_irr_percent ORDER BY run_id DESC) FILTER (WHERE 'net_irr_percent' <> ALL (lacks)))[1] AS net_irr_percent,
		(array_agg(vintage_year ORDER BY run_id DESC) FILTER (WHERE 'vintage_year' <> ALL (lacks)))[1] AS vintage_year,
		array_remove(ARRAY[
			CASE WHEN bool_and('contributed' = ANY (lacks)) THEN 'contributed' END, CASE WHEN bool_and('distributed' = ANY (lacks)) THEN 'distributed' END,
			CASE WHEN bool_and('gp_name' = ANY (lacks)) THEN 'gp_name' END, CASE WHEN bool_and('multiple' = ANY (lacks)) THEN 'multiple' END,
			CASE WHEN bool_and('nav' = ANY (lacks)) THEN 'nav' END, CASE WHEN bool_and('net_irr_percent' = ANY (lacks)) THEN 'net_irr_percent' END,
			CASE WHEN bool_and('vintage_year' = ANY (lacks)) THEN 'vintage_year' END
		], NULL) AS lacks
	FROM people.lp_statements
	JOIN touched USING (investment_id, as_of)
	GROUP BY investment_id, as_of
), gone AS (
	DELETE FROM people.lp_commitments c USING touched t
	WHERE (c.investment_id, c.as_of) = (t.investment_id, t.as_of) AND (c.investment_id, c.as_of) NOT IN (SELECT investment_id, as_of FROM folded)
), written AS (
	INSERT INTO people.lp_commitments AS c (investment_id, as_of, fund_name, gp_name, vintage_year,
		committed, contributed, distributed, nav, net_irr_percent, multiple, lacks, run_id)
	SELECT investment_id, as_of, fund_name, gp_name, vintage_year, committed, contributed, distributed, nav, net_irr_percent, multiple, lacks, run_id
	FROM folded
	ON CONFLICT (investment_id, as_of) DO UPDATE SET
		fund_name = excluded.fund_name, gp_name = excluded.gp_name, vintage_year = excluded.vintage_year, committed = excluded.committed,
		contributed = excluded.contributed, distributed = excluded.distributed, nav = excluded.nav,
		net_irr_percent = excluded.net_irr_percent, multiple = excluded.multiple, lacks = excluded.lacks, run_id = excluded.run_id
	WHERE (c.fund_name, c.gp_name, c.vintage_year, c.committed, c.contributed, c.distributed, c.nav, c.net_irr_percent, c.multiple, c.lacks)
		IS DISTINCT FROM (excluded.fund_name, excluded.gp_name, excluded.vintage_year, excluded.committed, excluded.contributed,
			excluded.distributed, excluded.nav, excluded.net_irr_percent, excluded.multiple, excluded.lacks)
	RETURNING investment_id, as_of, xmax = 0 AS is_new
)
SELECT count(*) FILTER (WHERE w.is_new) AS new, count(*) FILTER (WHERE NOT w.is_new) AS changed, count(*) FILTER (WHERE w.is_new IS NULL) AS unchanged,
	array_agg(DISTINCT c.run_id) FILTER (WHERE NOT w.is_new AND c.run_id <> ALL (@before::bigint[])) AS replaced
FROM folded f
LEFT JOIN written w USING (investment_id, as_of)
LEFT JOIN people.lp_commitments c USING (investment_id, as_of)
WHERE f.listed
