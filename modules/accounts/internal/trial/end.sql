WITH over AS (
	SELECT id, trial_ends_at AS ends_at FROM accounts.users
	WHERE trial_ends_at <= @now AND deleted_at IS NULL
	ORDER BY id LIMIT @limit FOR UPDATE
)
UPDATE accounts.users u SET subscription_plan = 'free', trial_ends_at = NULL, updated_at = @now
FROM over
WHERE u.id = over.id
RETURNING u.id, over.ends_at
