-- The news of some accounts: what arrived after each account's own point, up to one for all, of the GPs that it watches with alerts
-- on, and since it watches them. What is news is what the activity feed of module accounts says (feed.sql there).
--
-- Rows are the newest of each GP, of the GPs with the newest news; the counts are of everything.
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
	news AS (
		SELECT w.user_id, h.*
		FROM happened h JOIN watched w USING (crd) LEFT JOIN catalog.pub_arrival a USING (arrival)
		WHERE h.arrival > w.low AND h.arrival <= @high AND (a.known_at IS NULL OR a.known_at >= w.created_at)
	),
	ranked AS (
		SELECT *, row_number() OVER (PARTITION BY user_id, crd ORDER BY arrival DESC, at DESC, fund, key COLLATE "C") AS rank,
			count(*) OVER (PARTITION BY user_id, crd) AS of_gp
		FROM news
	),
	placed AS (
		SELECT user_id, crd, row_number() OVER (PARTITION BY user_id ORDER BY max(arrival) DESC, max(at) DESC, crd COLLATE "C") AS place,
			sum(count(*) FILTER (WHERE NOT fund)) OVER (PARTITION BY user_id) AS filings,
			sum(count(*) FILTER (WHERE fund)) OVER (PARTITION BY user_id) AS funds,
			count(*) OVER (PARTITION BY user_id) AS gps
		FROM news GROUP BY user_id, crd
	)
SELECT user_id, p.filings::bigint, p.funds::bigint, p.gps, r.crd, coalesce(g.legal_name, '') AS name, r.of_gp, r.fund, r.what, r.day
FROM placed p JOIN ranked r USING (user_id, crd) LEFT JOIN catalog.pub_gp g USING (crd)
WHERE p.place <= @most_gps AND r.rank <= @most_news
ORDER BY user_id, p.place, r.rank
