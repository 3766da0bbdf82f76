-- One statement, so that the events and the newest number are of one moment. At most @window numbers are looked at.
WITH head AS MATERIALIZED (
	SELECT l.epoch, l.swept, coalesce((SELECT max(seq) FROM platform.changes), l.swept) AS newest,
		(SELECT min(seq) FROM platform.changes WHERE seq > @after) AS first
	FROM platform.changes_log l
), bounds AS MATERIALIZED (
	SELECT h.*, least(h.first + @window - 1, h.newest) AS last FROM head h
)
SELECT b.epoch, b.swept, b.newest, coalesce(b.last, 0) AS last,
	(SELECT at FROM platform.changes ORDER BY seq DESC LIMIT 1) AS newest_at, (SELECT at FROM platform.changes ORDER BY seq LIMIT 1) AS oldest_at,
	coalesce(e.seq, 0) AS seq, e.at, coalesce(e.kind, '') AS kind, coalesce(e.crd, '') AS crd, coalesce(e.subject, '') AS subject,
	coalesce(e.accession, '') AS accession, e.day, coalesce(e.arrival, 0) AS arrival, e.said
FROM bounds b LEFT JOIN LATERAL (
	SELECT * FROM platform.changes c
	WHERE c.seq >= b.first AND c.seq <= b.last
		AND (@kinds::text[] IS NULL OR c.kind = ANY (@kinds)) AND (@crds::text[] IS NULL OR c.crd = ANY (@crds)) AND (@subject = '' OR c.subject = @subject)
	ORDER BY c.seq LIMIT @limit
) e ON true
ORDER BY e.seq
