UPDATE accounts.users SET
	onboarding_step = CASE WHEN onboarding_completed OR @completed THEN 3 ELSE greatest(onboarding_step, @step) END,
	onboarding_completed = onboarding_completed OR @completed OR greatest(onboarding_step, @step) = 3,
	updated_at = @now
WHERE id = @id AND deleted_at IS NULL
RETURNING id, email, email_key, full_name, company, job_title, use_case, marketing_consent, password_hash, email_verified_at, tier,
	school, graduation_year, subscription_plan, api_tier, api_tier_subscribed, trial_ends_at, trial_noticed_at, onboarding_step,
	onboarding_completed, is_admin, created_at, updated_at, last_login_at, deleted_at
