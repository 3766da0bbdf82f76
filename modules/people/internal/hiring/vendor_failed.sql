INSERT INTO people.board_vendors AS v (vendor, failures, rest_until)
VALUES (@vendor, 1, CASE WHEN @limit::integer <= 1 THEN @until::timestamptz END)
ON CONFLICT (vendor) DO UPDATE SET failures = v.failures + 1,
	rest_until = CASE WHEN v.failures + 1 >= @limit::integer THEN greatest(v.rest_until, @until::timestamptz) ELSE v.rest_until END
