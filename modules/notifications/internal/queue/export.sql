SELECT kind, category, state, reason, created_at, sent_at, data
FROM notifications.queue WHERE user_id = @user ORDER BY id
