-- What has become of the mails that were queued since @since, of one kind or all, by kind and day of queueing (UTC). A mail counts
-- as opened if a person has fetched its pixel or followed a link in it.
WITH mails AS (
	SELECT q.id, q.kind, q.category, q.state, q.sent_at, (q.created_at AT TIME ZONE 'UTC')::date AS day, t.id AS tracked
	FROM notifications.queue q LEFT JOIN notifications.tracked_mails t ON t.queue_id = q.id
	WHERE (@kind::text IS NULL OR q.kind = @kind) AND (@since::timestamptz IS NULL OR q.created_at >= @since)
), seen AS (
	SELECT h.mail_id, bool_or(NOT h.machine) AS opened, bool_or(NOT h.machine AND h.link_id <> '') AS clicked,
		bool_or(h.machine AND h.link_id = '') AS machine_opened, bool_or(h.machine AND h.link_id <> '') AS machine_clicked
	FROM mails m JOIN notifications.hits h ON h.mail_id = m.tracked
	GROUP BY h.mail_id
)
SELECT m.kind, m.category, m.day,
	count(*) FILTER (WHERE m.state = 'queued') AS queued,
	count(*) FILTER (WHERE m.state = 'sending') AS sending,
	count(*) FILTER (WHERE m.state = 'sent') AS sent,
	count(*) FILTER (WHERE m.state = 'failed') AS failed,
	count(*) FILTER (WHERE m.state = 'suppressed') AS suppressed,
	count(m.tracked) FILTER (WHERE m.state = 'sent') AS tracked,
	count(*) FILTER (WHERE m.state = 'sent' AND s.opened) AS opened,
	count(*) FILTER (WHERE m.state = 'sent' AND s.clicked) AS clicked,
	count(*) FILTER (WHERE m.state = 'sent' AND s.machine_opened) AS machine_opened,
	count(*) FILTER (WHERE m.state = 'sent' AND s.machine_clicked) AS machine_clicked,
	max(m.sent_at) AS last_sent_at
FROM mails m LEFT JOIN seen s ON s.mail_id = m.tracked
GROUP BY m.kind, m.category, m.day
ORDER BY m.day, m.kind, m.category
