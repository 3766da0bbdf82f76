INSERT INTO notifications.queue (kind, category, user_id, natural_key, data, not_before, created_at, message_id)
VALUES (@kind, @category, @user, @key, @data, @not_before, @now, @message_id)
ON CONFLICT (natural_key) DO NOTHING
