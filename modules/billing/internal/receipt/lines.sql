-- The lines of a receipt: what was bought about one manager, or other subject, at one price.
SELECT coalesce(c.crd, '') AS crd, CASE WHEN c.crd IS NULL THEN c.subject ELSE '' END AS subject, c.product, c.unit_micros AS unit,
	sum(c.quantity)::bigint AS quantity, sum(c.amount_micros)::bigint AS amount, count(*) AS purchases, min(c.at) AS first, max(c.at) AS last
FROM billing.receipt_lines l JOIN billing.charges c ON c.user_id = l.user_id AND c.id = l.charge_id
WHERE l.user_id = @user AND l.made_at = @made::timestamptz AND c.product IS NOT NULL
GROUP BY 1, 2, 3, 4
ORDER BY amount DESC, 1, 2, 3, 4
