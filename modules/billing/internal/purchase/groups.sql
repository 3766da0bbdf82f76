WITH groups AS (
	SELECT CASE WHEN @by = 'operation' THEN c.operation END AS operation, CASE WHEN @by = 'key' THEN c.key_id END AS key_id,
		CASE WHEN @by = 'day' THEN (c.at AT TIME ZONE 'UTC')::date::text END AS day,
		count(*)::integer AS charges, sum(c.quantity)::bigint AS quantity, sum(c.amount_micros)::bigint AS amount
	FROM billing.charges c
	{{where}}
	GROUP BY 1, 2, 3
)
SELECT g.operation, g.key_id::text AS key_id, coalesce(k.name, '') AS key_name, g.day, g.charges, g.quantity, g.amount
FROM groups g LEFT JOIN keys.pub_api_key k ON k.id = g.key_id
ORDER BY g.day DESC, g.amount DESC, g.operation, g.key_id
