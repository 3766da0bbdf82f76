-- Months of accounts with a customer at Stripe whose charges are above zero and that are not collected.
SELECT c.user_id, c.period, sum(c.amount_micros)::bigint AS amount_micros, a.stripe_customer AS customer
FROM billing.charges c
JOIN billing.accounts a ON a.user_id = c.user_id AND a.stripe_customer IS NOT NULL
WHERE c.period >= @from AND c.period < @before
	AND NOT EXISTS (SELECT FROM billing.collections k WHERE k.user_id = c.user_id AND k.period = c.period AND k.invoice_item IS NOT NULL)
GROUP BY c.user_id, c.period, a.stripe_customer
HAVING sum(c.amount_micros) > 0
ORDER BY c.period, c.user_id
