SELECT id, at, operation, subject, coalesce(crd, '') AS crd, coalesce(product, '') AS product, quantity, unit_micros, amount_micros, mode,
	coalesce(key_id::text, '') AS key_id, request_id, coalesce(reason, '') AS reason
FROM billing.charges
WHERE user_id = @user
ORDER BY id
