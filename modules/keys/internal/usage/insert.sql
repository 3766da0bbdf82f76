-- Adds to the rows that are there. The histograms are added step by step; the shorter one ends earlier.
INSERT INTO keys.usage_{{table}} AS u (key_id, operation, {{column}}, requests, failed, total_us, min_us, max_us, histogram)
SELECT key_id, operation, at::{{type}}, requests, failed, total_us, min_us, max_us, histogram::integer[]
FROM unnest(@keys::uuid[], @operations::text[], @at::{{type}}[], @requests::bigint[], @failed::bigint[], @totals::bigint[],
		@shortest::bigint[], @longest::bigint[], @histograms::text[])
	WITH ORDINALITY AS n (key_id, operation, at, requests, failed, total_us, min_us, max_us, histogram, place)
ORDER BY place
ON CONFLICT ({{target}}) DO UPDATE SET
	requests = u.requests + excluded.requests, failed = u.failed + excluded.failed, total_us = u.total_us + excluded.total_us,
	min_us = least(u.min_us, excluded.min_us), max_us = greatest(u.max_us, excluded.max_us),
	histogram = (SELECT array_agg(coalesce(a, 0) + coalesce(b, 0) ORDER BY step)
		FROM unnest(u.histogram, excluded.histogram) WITH ORDINALITY AS s (a, b, step))
