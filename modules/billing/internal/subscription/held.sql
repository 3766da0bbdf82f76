-- Subscriptions of an account, and whether dunning for one of their invoices has ended without the money.
SELECT s.id, s.customer, s.user_id, s.status, s.plan, s.api_tier, s.period_start, s.period_end, s.cancel_at_period_end,
	s.checkout_completed, s.deleted, s.last_event,
	EXISTS (
		SELECT FROM billing.payments p
		JOIN billing.dunning d ON d.invoice = p.invoice AND d.step = @last
		JOIN billing.overdue o ON o.invoice = p.invoice
		WHERE p.subscription = s.id
	) AS lapsed
FROM billing.subscriptions s
WHERE s.user_id = @user
ORDER BY s.last_event DESC NULLS FIRST, s.id
