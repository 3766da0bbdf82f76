-- Overdue invoices of accounts, with the last step that was taken for each; of one invoice, or of all that have steps left.
SELECT o.invoice, o.customer, coalesce(o.subscription, '') AS subscription, o.user_id, o.amount_cents, o.currency, o.page, o.failed_at,
	s.plan, s.api_tier, coalesce(s.status, '') AS status, coalesce(s.checkout_completed, false) AS checkout_completed, coalesce(s.deleted, false) AS deleted,
	coalesce(d.step, -1) AS step, d.taken_at
FROM billing.overdue o
LEFT JOIN billing.subscriptions s ON s.id = o.subscription
LEFT JOIN LATERAL (SELECT step, taken_at FROM billing.dunning WHERE invoice = o.invoice ORDER BY step DESC LIMIT 1) d ON true
WHERE o.user_id IS NOT NULL AND CASE WHEN @invoice = '' THEN coalesce(d.step, -1) < @last ELSE o.invoice = @invoice END
ORDER BY o.failed_at, o.invoice
