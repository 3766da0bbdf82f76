-- Records what was asked for with a test key: it costs nothing and entitles to nothing. An execution is recorded once.
WITH line AS (
	SELECT nextval('billing.charge_ids') AS id
), execution AS (
	INSERT INTO billing.executions (id, user_id, charge_id, amount_micros, new_units, at)
	SELECT @execution::uuid, @user, id, 0, 0, @at
	FROM line
	WHERE @execution::uuid IS NOT NULL
	ON CONFLICT DO NOTHING
	RETURNING id
)
INSERT INTO billing.charges
	(id, period, at, user_id, key_id, operation, subject, crd, product, quantity, unit_micros, amount_micros, mode, request_id)
SELECT id, @month::date, @at, @user, @key::uuid, @operation, @subject, @crd, NULL, @quantity, @unit, 0, 'test', @request
FROM line
WHERE @execution::uuid IS NULL OR EXISTS (SELECT FROM execution)
