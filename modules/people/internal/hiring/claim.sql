UPDATE people.boards SET leased_until = @until
WHERE (crd, vendor, token) = (
	SELECT b.crd, b.vendor, b.token FROM people.boards b
	WHERE NOT b.from_file AND coalesce(b.leased_until <= @now, true)
		AND coalesce(b.retry_at <= @now, coalesce(b.succeeded_at <= @fresh, true))
		AND NOT EXISTS (SELECT FROM people.board_vendors v WHERE v.vendor = b.vendor AND v.rest_until > @now)
	ORDER BY b.checked_at NULLS FIRST, b.crd, b.vendor, b.token
	LIMIT 1 FOR UPDATE SKIP LOCKED
)
RETURNING *
