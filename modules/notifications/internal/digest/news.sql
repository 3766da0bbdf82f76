-- The news of some GPs: what arrived after @low, up to @high.
--
-- Each GP is ranked, the newest first, with counts that add up: what an account is told of it is a beginning of that list. Rows
-- are the newest of each GP, and the last one of each arrival.
WITH wanted AS MATERIALIZED (SELECT * FROM unnest(@crds::text[]) AS w(crd)),
	happened AS (
		SELECT w.crd, e.type = 'new_fund' AS fund, e.what, e.event_date AS at, e.day, e.key, e.arrival
		FROM wanted w, catalog.pub_event(w.crd) e
		WHERE e.arrival > @low
	),
	ranked AS (
		SELECT *, row_number() OVER newest AS rank, count(*) FILTER (WHERE fund) OVER (newest ROWS UNBOUNDED PRECEDING) AS funds,
			lead(arrival) OVER newest IS DISTINCT FROM arrival AS ends
		FROM happened WHERE arrival <= @high
		WINDOW newest AS (PARTITION BY crd ORDER BY arrival DESC, at DESC, fund, key COLLATE "C")
	)
SELECT r.crd, coalesce(g.legal_name, '') AS name, r.rank, r.funds, r.ends, r.fund, r.what, r.at, r.day, r.arrival, a.known_at
FROM ranked r LEFT JOIN catalog.pub_gp g USING (crd) LEFT JOIN catalog.pub_arrival a ON a.arrival = r.arrival
WHERE r.ends OR r.rank <= @most_news
ORDER BY r.crd, r.rank
