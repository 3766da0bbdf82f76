UPDATE accounts.users SET trial_noticed_at = @now, updated_at = @now
WHERE id IN (
	SELECT id FROM accounts.users
	WHERE trial_ends_at > @now AND trial_ends_at <= @until AND trial_noticed_at IS NULL AND deleted_at IS NULL
	ORDER BY id LIMIT @limit FOR UPDATE
)
RETURNING id, trial_ends_at AS ends_at
