SELECT id, mail_id, destination, hidden FROM notifications.tracked_links WHERE id = @id
