-- Lists the events that arrived after one load up to another, the newest first. Types, CRDs and keys make the order total.
-- It is one statement, so that the newest load and the events are of one moment.
WITH watched AS (SELECT adviser_crd AS crd FROM accounts.watchlist_items WHERE user_id = @user),
	bounds AS (
		SELECT CASE WHEN @low::bigint >= -1 THEN @low::bigint
				ELSE coalesce((SELECT max(arrival) FROM catalog.pub_arrival WHERE known_at < @known_since::timestamptz), -1) END AS low,
			CASE WHEN @high::bigint > 0 THEN @high::bigint
				ELSE coalesce((SELECT max(arrival) FROM catalog.pub_arrival), 0) END AS high
	),
	happened AS (
		SELECT w.crd, e.* FROM watched w, catalog.pub_event(w.crd) e
		WHERE e.type = ANY (@types::text[])
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
	coalesce(a.known_at, p.processed_at, p.event_date, 'epoch') AS known_at, coalesce(p.what, '') AS what,
	coalesce(p.key, '') AS key, coalesce(to_char(p.day, 'YYYY-MM-DD'), '') AS day, p.processed_at
FROM bounds b LEFT JOIN part p ON true LEFT JOIN catalog.pub_gp g ON g.crd = p.crd LEFT JOIN catalog.pub_arrival a ON a.arrival = p.arrival
ORDER BY p.arrival DESC, p.event_date DESC, p.type, p.crd COLLATE "C", p.key COLLATE "C"
