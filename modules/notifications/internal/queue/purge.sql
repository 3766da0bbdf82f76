WITH counts AS (DELETE FROM notifications.daily WHERE user_id = @user)
DELETE FROM notifications.queue WHERE user_id = @user
