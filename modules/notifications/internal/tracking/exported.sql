SELECT t.kind, t.created_at,
	coalesce(sum(h.count) FILTER (WHERE NOT h.machine AND h.link_id = ''), 0)::bigint AS opens,
	coalesce(sum(h.count) FILTER (WHERE NOT h.machine AND h.link_id <> ''), 0)::bigint AS clicks,
	coalesce(sum(h.count) FILTER (WHERE h.machine), 0)::bigint AS by_machines
FROM notifications.tracked_mails t LEFT JOIN notifications.hits h ON h.mail_id = t.id
WHERE t.user_id = @user
GROUP BY t.id
ORDER BY t.created_at, t.id
