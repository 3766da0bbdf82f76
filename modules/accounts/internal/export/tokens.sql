SELECT hash, session_id, issued_at, expires_at, used_at
FROM accounts.refresh_tokens
WHERE session_id IN (SELECT id FROM accounts.sessions WHERE user_id = @user)
ORDER BY issued_at, hash
