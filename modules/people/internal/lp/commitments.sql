-- Commitments that match the filters, each with the newest figures and the fund that it was matched to: a page, and totals of all. The
-- totals are there without a row, too: id is then 0. Funds are looked up one by one (OFFSET 0), because there are far more of them than
-- commitments, and only where strategies are asked for.
WITH fits AS MATERIALIZED (
	SELECT i.id, i.lp_id, i.fund_key, f.committed, f.net_irr_percent, f.vintage_year, p.strategy
	FROM people.lp_investments i
	JOIN people.lp_figures f ON f.investment_id = i.id
	JOIN people.lps l ON l.id = i.lp_id
	{{strategy}}
	WHERE (@lp::bigint = 0 OR i.lp_id = @lp)
		AND {{asked}}
		AND (@entity_types::text[] IS NULL OR l.entity_type = ANY (@entity_types))
		AND (@states::text[] IS NULL OR upper(l.state) = ANY (@states))
		AND (@strategies IS NULL OR p.strategy IS NULL OR p.strategy = ANY (@strategies))
), page AS MATERIALIZED (
	SELECT id, lp_id, fund_key, CASE WHEN @sort = 'name' AND @descending::boolean THEN fund_key END AS last_key, CASE @sort
			WHEN 'committed' THEN committed::double precision
			WHEN 'irr' THEN net_irr_percent
			WHEN 'vintage' THEN vintage_year
		END * CASE WHEN @descending THEN -1 ELSE 1 END AS figure
	FROM fits
	WHERE @strategies IS NULL OR strategy IS NOT NULL
	ORDER BY figure, last_key DESC, fund_key, lp_id, id
	LIMIT @limit OFFSET @offset
)
SELECT t.total, t.unmatched, t.committed_known, t.committed_sum,
	coalesce(p.id, 0) AS id, coalesce(f.fund_name, '') AS fund_name, coalesce(f.as_of, 'epoch') AS as_of, f.gp_name, f.vintage_year, f.committed,
	f.contributed, f.contributed_as_of, f.distributed, f.distributed_as_of, f.nav, f.nav_as_of, f.net_irr_percent, f.net_irr_percent_as_of,
	f.multiple, f.multiple_as_of, i.match_method, i.match_crd, i.match_fund_id, i.match_confidence,
	d.strategy, d.vintage_year AS fund_vintage_year,
	coalesce(l.id, 0) AS lp_id, coalesce(l.name, '') AS lp_name, l.entity_type AS lp_type, coalesce(l.state, '') AS lp_state
FROM (
	SELECT count(*) FILTER (WHERE counts) AS total, count(*) FILTER (WHERE NOT counts) AS unmatched,
		count(committed) FILTER (WHERE counts) AS committed_known, sum(committed) FILTER (WHERE counts)::bigint AS committed_sum
	FROM (SELECT committed, @strategies IS NULL OR strategy IS NOT NULL AS counts FROM fits) f
) t
LEFT JOIN page p ON true
LEFT JOIN people.lp_investments i ON i.id = p.id
LEFT JOIN people.lp_figures f ON f.investment_id = p.id
LEFT JOIN people.lps l ON l.id = p.lp_id
LEFT JOIN LATERAL (
	SELECT d.strategy, d.vintage_year FROM catalog.pub_fund d
	WHERE d.fund_id = i.match_fund_id
	OFFSET 0
) d ON true
ORDER BY p.figure, p.last_key DESC, p.fund_key, p.lp_id, p.id
