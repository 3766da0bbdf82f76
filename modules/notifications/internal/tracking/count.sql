-- Adds hits to those of known mails. A hit soon after the delivery is a machine's.
INSERT INTO notifications.hits AS h (mail_id, link_id, machine, count, first_at, last_at)
SELECT t.id, i.link, i.machine OR i.first_at < coalesce(q.sent_at, t.created_at) + @soon::interval, sum(i.count), min(i.first_at), max(i.last_at)
FROM unnest(@mails::text[], @links::text[], @machines::boolean[], @counts::bigint[], @firsts::timestamptz[], @lasts::timestamptz[])
		AS i (mail, link, machine, count, first_at, last_at)
	JOIN notifications.tracked_mails t ON t.id = i.mail
	LEFT JOIN notifications.queue q ON q.id = t.queue_id
GROUP BY 1, 2, 3
ORDER BY 1, 2, 3
ON CONFLICT (mail_id, link_id, machine) DO UPDATE
SET count = h.count + excluded.count, first_at = least(h.first_at, excluded.first_at), last_at = greatest(h.last_at, excluded.last_at)
