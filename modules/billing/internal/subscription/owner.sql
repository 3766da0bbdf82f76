-- Whose a subscription and a customer are, as far as it is known: 0 where it is not.
SELECT coalesce(
	(SELECT user_id FROM billing.subscriptions WHERE id = @subscription),
	(SELECT user_id FROM billing.accounts WHERE stripe_customer = @customer),
	(SELECT min(user_id) FROM billing.subscriptions WHERE customer = @customer AND @customer <> ''),
	0)
