-- Everything that the tables of billing must agree on, as of one instant. A row is a fault.
WITH months AS (
	SELECT user_id, period, sum(amount_micros) AS amount
	FROM billing.charges
	GROUP BY user_id, period
), bought AS (
	SELECT user_id, charge_id, count(*) AS units, sum(amount_micros) AS amount
	FROM billing.entitlements
	GROUP BY user_id, charge_id
), faults AS (
	SELECT a.user_id, a.period, format('%s micro-dollars are spent, and the ledger says %s', a.spent_micros, coalesce(m.amount, 0)) AS fault
	FROM billing.accounts a LEFT JOIN months m ON m.user_id = a.user_id AND m.period = a.period
	WHERE a.spent_micros <> coalesce(m.amount, 0)
	UNION ALL
	SELECT m.user_id, m.period, format('%s micro-dollars are charged, and the month of the account is %s', m.amount, coalesce(a.period::text, 'unknown'))
	FROM months m LEFT JOIN billing.accounts a ON a.user_id = m.user_id
	WHERE m.amount <> 0 AND (a.period IS NULL OR m.period > a.period)
	UNION ALL
	SELECT c.user_id, c.period, format('charge %s counts %s units for %s micro-dollars, and %s units for %s are owned by it',
		c.id, c.quantity, c.amount_micros, coalesce(b.units, 0), coalesce(b.amount, 0))
	FROM billing.charges c LEFT JOIN bought b ON b.charge_id = c.id AND b.user_id = c.user_id
	WHERE CASE WHEN c.product IS NULL THEN b.units IS NOT NULL
		ELSE c.quantity <> coalesce(b.units, 0) OR c.amount_micros <> coalesce(b.amount, 0) END
	UNION ALL
	SELECT e.user_id, c.period, format('%s %s is owned by charge %s, which does not count it', e.product, e.unit, e.charge_id)
	FROM billing.entitlements e LEFT JOIN billing.charges c ON c.id = e.charge_id AND c.user_id = e.user_id
	WHERE c.id IS NULL OR c.product IS DISTINCT FROM e.product
	UNION ALL
	SELECT x.user_id, c.period, format('execution %s has a receipt of %s micro-dollars for %s units, and its charge says otherwise', x.id, x.amount_micros, x.new_units)
	FROM billing.executions x LEFT JOIN billing.charges c ON c.id = x.charge_id AND c.user_id = x.user_id
	WHERE CASE WHEN x.charge_id IS NULL THEN x.amount_micros <> 0 OR x.new_units <> 0
		ELSE c.id IS NULL OR c.amount_micros <> x.amount_micros OR x.new_units <> CASE WHEN c.product IS NULL THEN 0 ELSE c.quantity END END
	UNION ALL
	SELECT user_id, period, format('charge %s is of a test key, and costs %s micro-dollars or entitles to something', id, amount_micros)
	FROM billing.charges
	WHERE mode = 'test' AND (amount_micros <> 0 OR product IS NOT NULL)
	UNION ALL
	SELECT user_id, period, format('charge %s was made at %s', id, at AT TIME ZONE 'UTC')
	FROM billing.charges
	WHERE period < date_trunc('month', at AT TIME ZONE 'UTC')::date
		OR period > date_trunc('month', at AT TIME ZONE 'UTC' + interval '7 days')::date -- no clock may be that far behind
	UNION ALL
	SELECT user_id, period, format('charge %s is of %s micro-dollars, and says %s times %s', id, amount_micros, quantity, unit_micros)
	FROM billing.charges
	WHERE mode = 'live' AND (quantity < 1 OR product IS NULL AND quantity <> 1 OR unit_micros <> amount_micros / greatest(quantity, 1))
	UNION ALL
	SELECT k.user_id, k.period, format('%s micro-dollars are collected, and the ledger says %s', k.amount_micros, coalesce(m.amount, 0))
	FROM billing.collections k LEFT JOIN months m ON m.user_id = k.user_id AND m.period = k.period
	WHERE k.amount_micros <> coalesce(m.amount, 0)
	UNION ALL
	SELECT user_id, min(period), format('%s charges have the number %s', count(*), id)
	FROM billing.charges
	GROUP BY user_id, id
	HAVING count(*) > 1
)
SELECT user_id, period, fault
FROM faults
ORDER BY user_id, period, fault
