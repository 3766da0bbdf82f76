UPDATE notifications.queue
SET state = @state, reason = nullif(@reason, ''), lease_until = NULL, sent_at = CASE WHEN @state = 'sent' THEN @now::timestamptz END
WHERE id = @id AND state = 'sending' AND attempts = @attempt
