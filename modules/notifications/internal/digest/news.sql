-- The news of some GPs: what arrived after @low, up to @high. What is news is what the activity feed of module accounts says (feed.sql
-- there).
--
-- Each GP is ranked, the newest first, with counts that add up: what an account is told of it is a beginning of that list. Rows
-- are the newest of each GP, and the last one of each arrival.
WITH wanted AS MATERIALIZED (SELECT * FROM unnest(@crds::text[]) AS w(crd)),
	happened AS (
		SELECT false AS fund, f.crd, f.form_type AS what, f.submitted_at AS at, f.filing_date AS day, f.accession AS key, f.arrival
		FROM wanted w JOIN catalog.pub_filing f USING (crd)
		WHERE f.arrival > @low AND f.source = 'adv_archive' AND f.form_type IN ('ADV', 'ADV/A') AND f.status = 'completed'
		UNION ALL
		SELECT false, w.crd, o.form_type, o.filing_date::timestamp AT TIME ZONE 'UTC', o.filing_date, o.accession, min(o.arrival)
		FROM wanted w JOIN catalog.pub_offering o ON o.adviser_crd = w.crd
		WHERE o.status = 'completed'
		GROUP BY w.crd, o.filing_date, o.form_type, o.accession HAVING min(o.arrival) > @low
		UNION ALL
		SELECT true, w.crd, f.name, f.first_filed_on::timestamp AT TIME ZONE 'UTC', f.first_filed_on, f.fund_id, f.arrival
		FROM wanted w JOIN catalog.pub_fund f ON f.adviser_crd = w.crd
		WHERE f.arrival > @low
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
