WITH messages AS (
	DELETE FROM feed.messages WHERE created_at < @before AND state IN ('done', 'failed')
), attempts AS (
	DELETE FROM feed.attempts WHERE at < @before
)
DELETE FROM feed.secrets WHERE expires_at <= @now
