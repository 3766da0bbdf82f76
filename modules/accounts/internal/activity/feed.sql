-- Lists the events that became known after one load up to another, the newest first. Sequences of the log, types, CRDs and keys make the order total.
-- It is one statement, so that the newest load, the end of the log and the events are of one moment.
--
-- Filings and funds are those of the catalog, also from before the log of changes began. The other types are read from the log. seq is the number in the
-- log of an event that comes from no load (people): it is listed as after the last load before it, of those up to the high one.
WITH watched AS (SELECT adviser_crd AS crd FROM accounts.watchlist_items WHERE user_id = @user),
	bounds AS (
		SELECT CASE WHEN @low::bigint >= -1 THEN @low::bigint
				ELSE coalesce((SELECT max(arrival) FROM catalog.pub_arrival WHERE known_at < @known_since::timestamptz), -1) END AS low,
			CASE WHEN @high::bigint > 0 THEN @high::bigint
				ELSE coalesce((SELECT max(arrival) FROM catalog.pub_arrival), 0) END AS high,
			CASE WHEN @low::bigint >= -1 THEN @low_seq::bigint
				ELSE coalesce((SELECT seq FROM platform.changes WHERE at < @known_since::timestamptz ORDER BY at DESC, seq DESC LIMIT 1), 0) END AS low_seq,
			CASE WHEN @high::bigint > 0 THEN @high_seq::bigint
				ELSE coalesce((SELECT max(seq) FROM platform.changes), 0) END AS high_seq
	),
	happened AS (
		SELECT w.crd, e.type, e.event_date, e.what, e.key, e.day, e.processed_at, e.arrival, 0 AS seq, NULL::timestamptz AS at, NULL::jsonb AS changed
		FROM watched w, catalog.pub_event(w.crd) e
		WHERE e.type = ANY (@types::text[])
		UNION ALL
		SELECT w.crd, c.kind, coalesce(c.day::timestamp AT TIME ZONE 'UTC', c.at), coalesce(c.said ->> 'fund_name', ''), c.subject, c.day, NULL,
			CASE WHEN c.arrival > 0 THEN c.arrival ELSE coalesce((SELECT max(a.arrival) FROM catalog.pub_arrival a WHERE a.arrival <= b.high AND a.known_at <= c.at), 0) END,
			CASE WHEN c.arrival > 0 THEN 0 ELSE c.seq END, c.at, c.said -> 'changed'
		FROM bounds b, watched w JOIN platform.changes c USING (crd)
		WHERE c.kind = ANY (@logged::text[]) AND c.said <> '{}'
	),
	events AS MATERIALIZED (
		SELECT h.* FROM happened h, bounds b
		WHERE (h.seq = 0 AND h.arrival > b.low AND h.arrival <= b.high OR h.seq > b.low_seq AND h.seq <= b.high_seq)
			AND (@since::timestamptz IS NULL OR h.event_date >= @since::timestamptz)
			AND (@before::bigint < 0 OR (h.arrival, h.seq, h.event_date) < (@before::bigint, @seq::bigint, @date::timestamptz)
				OR (h.arrival, h.seq, h.event_date) = (@before::bigint, @seq::bigint, @date::timestamptz)
					AND (h.type, h.crd COLLATE "C", h.key COLLATE "C") > (@type::text, @crd::text, @key::text))
	),
	part AS (
		SELECT * FROM events ORDER BY arrival DESC, seq DESC, event_date DESC, type, crd COLLATE "C", key COLLATE "C" LIMIT @limit OFFSET @offset
	)
SELECT (SELECT count(*) FROM events) AS total, b.low, b.high, b.low_seq, b.high_seq, p.type, coalesce(p.arrival, 0) AS arrival, coalesce(p.seq, 0) AS seq,
	coalesce(p.crd, '') AS crd, coalesce(g.legal_name, '') AS gp_name, coalesce(p.event_date, 'epoch') AS event_date,
	coalesce(CASE WHEN p.seq > 0 THEN p.at END, a.known_at, p.processed_at, p.at, p.event_date, 'epoch') AS known_at, coalesce(p.what, '') AS what,
	coalesce(p.key, '') AS key, coalesce(to_char(p.day, 'YYYY-MM-DD'), '') AS day, p.processed_at, p.changed
FROM bounds b LEFT JOIN part p ON true LEFT JOIN catalog.pub_gp g ON g.crd = p.crd LEFT JOIN catalog.pub_arrival a ON a.arrival = p.arrival
ORDER BY p.arrival DESC, p.seq DESC, p.event_date DESC, p.type, p.crd COLLATE "C", p.key COLLATE "C"
