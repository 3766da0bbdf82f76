-- Stores mails and their links, unless a try before has: the addresses of a mail stay what they were.
WITH given AS (
	SELECT * FROM unnest(@mails::text[], @queues::bigint[], @users::bigint[], @kinds::text[]) AS g (id, queue_id, user_id, kind)
), added AS (
	INSERT INTO notifications.tracked_mails (id, queue_id, user_id, kind, created_at)
	SELECT id, queue_id, user_id, kind, @now FROM given
	ON CONFLICT (queue_id) DO NOTHING
	RETURNING id, queue_id
), before AS (
	SELECT m.id, m.queue_id FROM notifications.tracked_mails m WHERE m.queue_id = ANY(@queues::bigint[])
), mail AS (
	SELECT id, queue_id FROM added UNION ALL SELECT id, queue_id FROM before
), kept AS (
	SELECT l.id, l.mail_id, l.destination, l.hidden FROM notifications.tracked_links l JOIN before m ON m.id = l.mail_id
), linked AS (
	INSERT INTO notifications.tracked_links (id, mail_id, destination, hidden)
	SELECT l.id, m.id, l.destination, l.hidden
	FROM unnest(@ids::text[], @link_queues::bigint[], @destinations::text[], @hidden::boolean[]) AS l (id, queue_id, destination, hidden)
		JOIN mail m USING (queue_id)
	WHERE NOT EXISTS (SELECT FROM kept k WHERE k.mail_id = m.id AND k.destination = l.destination AND k.hidden = l.hidden)
	RETURNING id, mail_id, destination, hidden
)
SELECT m.queue_id, l.id, l.mail_id, l.destination, l.hidden
FROM (SELECT * FROM kept UNION ALL SELECT * FROM linked) l JOIN mail m ON m.id = l.mail_id
