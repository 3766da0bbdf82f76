-- Lists the events that arrived after one load up to another, the newest first. Types, CRDs and keys make the order total.
-- It is one statement, so that the newest load and the events are of one moment.
--
-- Spec: new_filing is a filing of ADV, ADV/A or Form D, amendments (D/A) among them. A withdrawal (ADV-W) is none, and rows
-- of rosters, of the feed of firms and of lists of funds are evidence of a filing, not the filing. A notice belongs to the
-- advisers of the funds that it is joined to, and arrives for them when it is joined. Filings are there when they are
-- processed, that is completed.
WITH watched AS (SELECT adviser_crd AS crd FROM accounts.watchlist_items WHERE user_id = @user),
	bounds AS (
		SELECT CASE WHEN @low::bigint >= -1 THEN @low::bigint
				ELSE coalesce((SELECT max(arrival) FROM catalog.pub_arrival WHERE known_at < @known_since::timestamptz), -1) END AS low,
			CASE WHEN @high::bigint > 0 THEN @high::bigint
				ELSE coalesce((SELECT max(arrival) FROM catalog.pub_arrival), 0) END AS high
	),
	happened AS (
		SELECT 'new_filing' AS type, f.crd, f.submitted_at AS event_date, f.form_type, f.accession AS key, f.filing_date AS day,
			f.processed_at, '' AS fund_name, f.arrival
		FROM watched JOIN catalog.pub_filing f USING (crd)
		WHERE @filings::boolean AND f.source = 'adv_archive' AND f.form_type IN ('ADV', 'ADV/A') AND f.status = 'completed'
		UNION ALL
		SELECT 'new_filing', w.crd, o.filing_date::timestamp AT TIME ZONE 'UTC', o.form_type, o.accession, o.filing_date,
			o.processed_at, '', min(o.arrival)
		FROM watched w JOIN catalog.pub_offering o ON o.adviser_crd = w.crd
		WHERE @filings::boolean AND o.status = 'completed'
		GROUP BY w.crd, o.filing_date, o.form_type, o.accession, o.processed_at
		UNION ALL
		SELECT 'new_fund', w.crd, f.first_filed_on::timestamp AT TIME ZONE 'UTC', '', f.fund_id, f.first_filed_on, NULL, f.name, f.arrival
		FROM watched w JOIN catalog.pub_fund f ON f.adviser_crd = w.crd
		WHERE @funds::boolean
	),
	events AS MATERIALIZED (
		SELECT h.* FROM happened h, bounds b
		WHERE h.arrival > b.low AND h.arrival <= b.high AND (@since::timestamptz IS NULL OR h.event_date >= @since::timestamptz) AND (@before::bigint = 0 OR h.arrival < @before::bigint
			OR h.arrival = @before::bigint AND (h.event_date < @date::timestamptz OR h.event_date = @date::timestamptz
				AND (h.type, h.crd COLLATE "C", h.key COLLATE "C") > (@type::text, @crd::text, @key::text)))
	),
	part AS (
		SELECT * FROM events ORDER BY arrival DESC, event_date DESC, type, crd COLLATE "C", key COLLATE "C" LIMIT @limit OFFSET @offset
	)
SELECT (SELECT count(*) FROM events) AS total, b.low, b.high, p.type, coalesce(p.arrival, 0) AS arrival, coalesce(p.crd, '') AS crd,
	coalesce(g.legal_name, '') AS gp_name, coalesce(p.event_date, 'epoch') AS event_date,
	coalesce(a.known_at, p.processed_at, p.event_date, 'epoch') AS known_at, coalesce(p.form_type, '') AS form_type,
	coalesce(p.key, '') AS key, coalesce(to_char(p.day, 'YYYY-MM-DD'), '') AS day, p.processed_at, coalesce(p.fund_name, '') AS fund_name
FROM bounds b LEFT JOIN part p ON true LEFT JOIN catalog.pub_gp g ON g.crd = p.crd LEFT JOIN catalog.pub_arrival a ON a.arrival = p.arrival
ORDER BY p.arrival DESC, p.event_date DESC, p.type, p.crd COLLATE "C", p.key COLLATE "C"
