SELECT coalesce(plan, '') AS plan, coalesce(api_tier, '') AS api_tier
FROM billing.subscriptions
WHERE user_id = @user AND NOT deleted AND status IN ('active', 'trialing', 'past_due')
ORDER BY last_event DESC, id
