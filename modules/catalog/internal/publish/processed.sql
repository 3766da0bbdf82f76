-- Arrivals are numbered in the order of both of their instants.
SELECT (SELECT processed_at FROM catalog.arrivals WHERE known_at <= @known ORDER BY arrival DESC LIMIT 1),
	(SELECT processed_at FROM catalog.arrivals ORDER BY arrival DESC LIMIT 1)
