-- Corrects what an account was charged, by a row of the ledger. The account is locked.
WITH account AS (
	UPDATE billing.accounts SET
		spent_micros = @amount::bigint + billing.spent_in(@month::date, period, spent_micros),
		period = greatest(period, @month::date)
	WHERE user_id = @user
	RETURNING period
)
INSERT INTO billing.charges (period, at, user_id, operation, subject, quantity, unit_micros, amount_micros, mode, request_id, reason)
SELECT period, @at, @user, 'adjustment', '', 1, @amount, @amount, 'live', @request, @reason
FROM account
RETURNING id
