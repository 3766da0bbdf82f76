SELECT count(*)::integer AS total, coalesce(sum(c.amount_micros), 0)::bigint AS amount
FROM billing.charges c
WHERE c.user_id = @user AND (@crd::text IS NULL OR c.crd = @crd) AND (@month::date IS NULL OR c.period = @month)
	AND (@operation::text IS NULL OR c.operation = @operation)
	AND (@key::text IS NULL OR coalesce(c.key_id::text, 'none') = @key)
	AND (@from::timestamptz IS NULL OR c.at >= @from) AND (@until::timestamptz IS NULL OR c.at < @until)
