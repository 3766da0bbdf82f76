SELECT count(*)::integer AS total, coalesce(sum(amount_micros), 0)::bigint AS amount
FROM billing.charges
WHERE user_id = @user AND (@crd::text IS NULL OR crd = @crd) AND (@month::date IS NULL OR period = @month)
