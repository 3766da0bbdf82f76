-- Accounts after one by number that get the mail of a week and have not got it.
SELECT a.id FROM accounts.pub_account a LEFT JOIN notifications.preferences p ON p.user_id = a.id
WHERE a.id > @after AND a.subscription_plan = 'enterprise' AND a.email_verified AND coalesce(p.market_intel, true)
	AND NOT EXISTS (SELECT 1 FROM notifications.queue q WHERE q.natural_key = 'market_intel:' || a.id || ':' || @week::text)
ORDER BY a.id LIMIT @limit
