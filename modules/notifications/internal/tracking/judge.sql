-- Reclassifies hits in these mails as automatic if their timing rules out a person. Either all links of a mail with at least two
-- were followed within seconds, or the link that people cannot see was followed, now or in an earlier batch. Hits within @burst
-- before that or @around after it belong to the same machine. Earlier hits stay those of people.
WITH hasty AS (
	SELECT h.mail_id, min(h.first_at) AS since, max(h.first_at) AS until
	FROM notifications.hits h
	WHERE h.mail_id = ANY(@mails::text[]) AND NOT h.machine AND h.link_id <> ''
	GROUP BY h.mail_id
	HAVING count(*) >= 2 AND max(h.first_at) - min(h.first_at) <= @burst::interval
		AND count(*) = (SELECT count(*) FROM notifications.tracked_links l WHERE l.mail_id = h.mail_id AND NOT l.hidden)
	UNION ALL
	SELECT i.mail, at, at
	FROM unnest(@hit_mails::text[], @links::text[], @firsts::timestamptz[], @lasts::timestamptz[]) AS i (mail, link, first_at, last_at)
		JOIN notifications.tracked_links l ON l.id = i.link AND l.hidden,
		unnest(ARRAY[i.first_at, i.last_at]) AS at
	UNION ALL
	SELECT h.mail_id, at, at
	FROM notifications.hits h JOIN notifications.tracked_links l ON l.id = h.link_id AND l.hidden,
		unnest(ARRAY[h.first_at, h.last_at]) AS at
	WHERE h.mail_id = ANY(@mails::text[])
), judged AS (
	DELETE FROM notifications.hits h
	USING hasty s
	WHERE h.mail_id = s.mail_id AND NOT h.machine AND h.first_at BETWEEN s.since - @burst::interval AND s.until + @around::interval
	RETURNING h.*
)
INSERT INTO notifications.hits AS h (mail_id, link_id, machine, count, first_at, last_at)
SELECT mail_id, link_id, true, count, first_at, last_at FROM judged ORDER BY 1, 2
ON CONFLICT (mail_id, link_id, machine) DO UPDATE
SET count = h.count + excluded.count, first_at = least(h.first_at, excluded.first_at), last_at = greatest(h.last_at, excluded.last_at)
