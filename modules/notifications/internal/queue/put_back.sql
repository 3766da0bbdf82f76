UPDATE notifications.queue
SET state = 'queued', reason = nullif(@reason, ''), lease_until = NULL, not_before = @at, attempts = attempts - @uncounted::int
WHERE id = @id AND state = 'sending' AND attempts = @attempt
