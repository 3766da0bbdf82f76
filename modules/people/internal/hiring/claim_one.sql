UPDATE people.boards b SET leased_until = @until
WHERE b.crd = @crd AND b.vendor = @vendor AND b.token = @token AND NOT b.from_file AND coalesce(b.leased_until <= @now, true)
	AND NOT EXISTS (SELECT FROM people.board_vendors v WHERE v.vendor = b.vendor AND v.rest_until > @now)
RETURNING *
