SELECT s.id, s.user_id, s.expires_at, s.last_active, u.subscription_plan AS plan, u.trial_ends_at AS trial_ends, u.api_tier,
	u.is_admin AS admin
FROM accounts.sessions s JOIN accounts.users u ON u.id = s.user_id
WHERE s.browser_hash = @hash AND s.ended_at IS NULL AND s.expires_at > @now AND u.deleted_at IS NULL
