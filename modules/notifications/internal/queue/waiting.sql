SELECT count(*) FROM notifications.queue
WHERE state IN ('queued', 'sending') AND coalesce(lease_until, not_before) <= @now
