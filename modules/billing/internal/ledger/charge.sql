-- Charges an account once: what it has spent, the row of the ledger, what it is entitled to, the execution, and the thresholds
-- of its cap that are reached. No row: the account has none, or the charge does not fit.
--
-- The condition and all that it needs are of one row. A statement that has waited for the row reads it again, and no other.
WITH account AS (
	UPDATE billing.accounts SET
		spent_micros = @amount::bigint + billing.spent_in(@month::date, period, spent_micros),
		period = greatest(period, @month::date) -- the clock of another process may be ahead
	WHERE user_id = @user
		AND coalesce(@amount::bigint + billing.spent_in(@month::date, period, spent_micros)
			<= least(cap_micros, CASE WHEN NOT backed THEN @unbacked::bigint END), true)
	RETURNING user_id, period, spent_micros, cap_micros, thresholds, backed
), charged AS (
	INSERT INTO billing.charges
		(period, at, user_id, key_id, operation, subject, crd, product, quantity, unit_micros, amount_micros, mode, request_id)
	SELECT period, @at, user_id, @key::uuid, @operation, @subject, @crd, @product, @quantity, @unit, @amount, 'live', @request
	FROM account
	RETURNING id, user_id
), bought AS (
	INSERT INTO billing.entitlements (user_id, product, unit, charge_id, amount_micros)
	SELECT charged.user_id, @product, u.unit, charged.id, u.amount
	FROM charged, unnest(@units::text[], @amounts::bigint[]) AS u (unit, amount)
	ORDER BY u.unit
	ON CONFLICT DO NOTHING
	RETURNING unit
), execution AS (
	INSERT INTO billing.executions (id, user_id, charge_id, amount_micros, new_units, at)
	SELECT @execution::uuid, user_id, id, @amount, @bought::integer, @at
	FROM charged
	WHERE @execution::uuid IS NOT NULL
), crossed AS (
	INSERT INTO billing.alerts (user_id, period, threshold, cap_micros, spent_micros, crossed_at)
	SELECT user_id, period, t.threshold, cap_micros, spent_micros, @at
	FROM account, unnest(thresholds) AS t (threshold)
	WHERE spent_micros::numeric * 100 >= cap_micros::numeric * t.threshold
	UNION ALL
	SELECT user_id, period, @limit::smallint, @unbacked::bigint, spent_micros, @at
	FROM account
	WHERE NOT backed AND spent_micros >= @unbacked::bigint
	ON CONFLICT DO NOTHING
	RETURNING threshold
)
SELECT charged.id, (SELECT count(*) FROM bought)::integer AS bought, (SELECT count(*) FROM crossed)::integer AS crossed
FROM charged
