-- What the program has given: a subscribed plan replaces the tier's name, a subscribed API tier is marked.
UPDATE accounts.users u SET
	subscription_plan = CASE WHEN tier = school || '_student' THEN 'free' ELSE subscription_plan END,
	api_tier = CASE WHEN api_tier = 'growth' AND NOT api_tier_subscribed THEN 'starter' ELSE api_tier END,
	updated_at = @now
WHERE school IS NOT NULL AND deleted_at IS NULL AND created_at < @since
	AND (tier = school || '_student' AND subscription_plan <> 'free' OR api_tier = 'growth' AND NOT api_tier_subscribed)
	AND NOT EXISTS (SELECT FROM accounts.survey_answers a WHERE a.user_id = u.id AND a.month >= to_date(@month, 'YYYY-MM-DD'))
