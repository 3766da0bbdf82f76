-- Stores a mail and its links, unless a try before has: the addresses of the mail stay what they were.
WITH added AS (
	INSERT INTO notifications.tracked_mails (id, queue_id, user_id, kind, created_at)
	VALUES (@id, @queue, @user, @kind, @now)
	ON CONFLICT (queue_id) DO NOTHING
	RETURNING id
), mail AS (
	SELECT id FROM added
	UNION ALL
	SELECT id FROM notifications.tracked_mails WHERE queue_id = @queue
	LIMIT 1
), kept AS (
	SELECT l.id, l.mail_id, l.destination, l.hidden FROM notifications.tracked_links l JOIN mail m ON m.id = l.mail_id
), linked AS (
	INSERT INTO notifications.tracked_links (id, mail_id, destination, hidden)
	SELECT l.id, m.id, l.destination, l.hidden
	FROM unnest(@ids::text[], @destinations::text[], @hidden::boolean[]) AS l (id, destination, hidden), mail m
	WHERE NOT EXISTS (SELECT FROM kept k WHERE k.destination = l.destination AND k.hidden = l.hidden)
	RETURNING id, mail_id, destination, hidden
)
SELECT id, mail_id, destination, hidden FROM kept
UNION ALL
SELECT id, mail_id, destination, hidden FROM linked
