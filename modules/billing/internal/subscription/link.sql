-- Assigns the stored data of a customer and the invoices of its subscriptions to the account. Returns what was paid meanwhile.
WITH subscriptions AS (
	UPDATE billing.subscriptions SET user_id = @user WHERE user_id IS NULL AND customer = @customer AND @customer <> ''
), payments AS (
	UPDATE billing.payments SET user_id = @user
	WHERE user_id IS NULL AND (customer = @customer AND @customer <> '' OR subscription = @subscription)
	RETURNING invoice, status
)
SELECT invoice FROM payments WHERE status = 'paid' ORDER BY invoice
