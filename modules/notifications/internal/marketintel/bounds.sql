-- The arrivals of a week: after low up to high. low is -1 where nothing was known before.
SELECT coalesce(max(arrival) FILTER (WHERE known_at < @from), -1) AS low, coalesce(max(arrival) FILTER (WHERE known_at < @until), -1) AS high
FROM catalog.pub_arrival
