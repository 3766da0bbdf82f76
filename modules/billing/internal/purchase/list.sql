SELECT id, at AS created_at, operation, product, crd, nullif(subject, '') AS subject, quantity, unit_micros AS unit_price, amount_micros AS amount,
	mode, request_id, reason
FROM billing.charges
WHERE user_id = @user AND (@crd::text IS NULL OR crd = @crd) AND (@month::date IS NULL OR period = @month)
ORDER BY id DESC
LIMIT @limit OFFSET @offset
