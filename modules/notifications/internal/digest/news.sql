-- The news of some accounts: what arrived after each account's own point, up to one for all, of the GPs that it watches with alerts
-- on, and since it watches them. What is news is what the activity feed of module accounts says (feed.sql there).
--
-- Rows are the newest of each GP, of the GPs with the newest news; the counts are of everything. Each GP is ranked once, the newest
-- first, with counts that add up: what an account is told of it is a beginning of that list.
WITH given AS (SELECT * FROM unnest(@users::bigint[], @lows::bigint[]) AS g(user_id, low)),
	watched AS MATERIALIZED (
		SELECT g.user_id, g.low, w.adviser_crd AS crd, w.created_at
		FROM given g JOIN accounts.pub_watch w USING (user_id) WHERE w.alert_enabled
	),
	wanted AS MATERIALIZED (SELECT crd, min(low) AS low FROM watched GROUP BY crd),
	happened AS (
		SELECT false AS fund, f.crd, f.form_type AS what, f.submitted_at AS at, f.filing_date AS day, f.accession AS key, f.arrival
		FROM wanted w JOIN catalog.pub_filing f USING (crd)
		WHERE f.arrival > w.low AND f.source = 'adv_archive' AND f.form_type IN ('ADV', 'ADV/A') AND f.status = 'completed'
		UNION ALL
		SELECT false, w.crd, o.form_type, o.filing_date::timestamp AT TIME ZONE 'UTC', o.filing_date, o.accession, min(o.arrival)
		FROM wanted w JOIN catalog.pub_offering o ON o.adviser_crd = w.crd
		WHERE o.status = 'completed'
		GROUP BY w.crd, w.low, o.filing_date, o.form_type, o.accession HAVING min(o.arrival) > w.low
		UNION ALL
		SELECT true, w.crd, f.name, f.first_filed_on::timestamp AT TIME ZONE 'UTC', f.first_filed_on, f.fund_id, f.arrival
		FROM wanted w JOIN catalog.pub_fund f ON f.adviser_crd = w.crd
		WHERE f.arrival > w.low
	),
	ranked AS MATERIALIZED (
		SELECT *, row_number() OVER newest AS rank, count(*) FILTER (WHERE fund) OVER (newest ROWS UNBOUNDED PRECEDING) AS funds
		FROM happened WHERE arrival <= @high
		WINDOW newest AS (PARTITION BY crd ORDER BY arrival DESC, at DESC, fund, key COLLATE "C")
	),
	steps AS MATERIALIZED (
		SELECT r.crd, r.arrival, max(r.rank) AS events, max(r.funds) AS funds, a.known_at
		FROM ranked r LEFT JOIN catalog.pub_arrival a USING (arrival) GROUP BY r.crd, r.arrival, a.known_at
	),
	told AS (
		SELECT w.user_id, w.crd, max(s.events) AS events, max(s.funds) AS funds, max(s.arrival) AS arrival
		FROM watched w JOIN steps s USING (crd)
		WHERE s.arrival > w.low AND (s.known_at IS NULL OR s.known_at >= w.created_at)
		GROUP BY w.user_id, w.crd
	),
	placed AS (
		SELECT t.user_id, t.crd, t.events, row_number() OVER (PARTITION BY t.user_id ORDER BY t.arrival DESC, r.at DESC, t.crd COLLATE "C") AS place,
			sum(t.events - t.funds) OVER account AS filings, sum(t.funds) OVER account AS funds, count(*) OVER account AS gps
		FROM told t JOIN ranked r ON r.crd = t.crd AND r.rank = 1
		WINDOW account AS (PARTITION BY t.user_id)
	)
SELECT p.user_id, p.filings::bigint, p.funds::bigint, p.gps, p.crd, coalesce(g.legal_name, '') AS name, p.events AS of_gp, r.fund, r.what, r.day
FROM placed p JOIN ranked r ON r.crd = p.crd AND r.rank <= least(@most_news, p.events) LEFT JOIN catalog.pub_gp g ON g.crd = p.crd
WHERE p.place <= @most_gps
ORDER BY p.user_id, p.place, r.rank
