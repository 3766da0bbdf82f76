SELECT id, seq_high, kind, events, state, attempts, next_at, created_at
FROM feed.messages
WHERE endpoint_id = @endpoint AND (@id = '' OR id = @id) AND (@state = '' OR state = @state) AND (@kind = '' OR kind = @kind)
ORDER BY created_at DESC, seq_high DESC
LIMIT @limit OFFSET @offset
