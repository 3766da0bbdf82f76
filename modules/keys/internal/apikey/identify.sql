SELECT k.id, k.user_id, k.tier, k.mode, a.subscription_plan, a.api_tier, a.trial_ends_at, a.is_admin
FROM keys.api_keys k JOIN accounts.pub_account a ON a.id = k.user_id
WHERE k.hash = @hash AND k.revoked_at IS NULL
