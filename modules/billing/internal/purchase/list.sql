SELECT c.id, c.at AS created_at, c.operation, c.product, c.crd, nullif(c.subject, '') AS subject, c.quantity, c.unit_micros AS unit_price,
	c.amount_micros AS amount, c.mode, c.key_id::text AS key_id, coalesce(k.name, '') AS key_name, c.request_id, c.reason
FROM billing.charges c LEFT JOIN keys.pub_api_key k ON k.id = c.key_id
WHERE c.user_id = @user AND (@crd::text IS NULL OR c.crd = @crd) AND (@month::date IS NULL OR c.period = @month)
	AND (@operation::text IS NULL OR c.operation = @operation)
	AND (@key::text IS NULL OR coalesce(c.key_id::text, 'none') = @key)
	AND (@from::timestamptz IS NULL OR c.at >= @from) AND (@until::timestamptz IS NULL OR c.at < @until)
	AND (@before::bigint IS NULL OR c.id < @before)
ORDER BY c.id DESC
LIMIT @limit OFFSET @offset
