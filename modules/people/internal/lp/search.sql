-- A page of LPs and how many there are; without a row on the page, id is 0. One commitment must match all filters of commitments.
-- Funds are looked up one by one (OFFSET 0), because there are far more of them than commitments.
WITH found AS (
	SELECT l.*
	FROM people.lps l
	WHERE (@q = '' OR NOT EXISTS (SELECT FROM unnest(string_to_array(@q, ' ')) AS word WHERE strpos(l.name_key, word) = 0))
		AND (@entity_type = '' OR l.entity_type = @entity_type)
		AND (@states::text[] IS NULL OR upper(l.state) = ANY (@states))
		AND l.investment_count >= greatest(@min_investments::integer, 1)
		AND (NOT @of_commitments::boolean OR EXISTS (
			SELECT FROM people.lp_investments i
			JOIN people.lp_figures f ON f.investment_id = i.id
			{{strategy}}
			WHERE i.lp_id = l.id
				AND {{asked}}
				AND (@strategies IS NULL OR p.strategy = ANY (@strategies))
		))
), page AS (
	SELECT row_number() OVER (
		ORDER BY CASE WHEN @sort = 'name' AND NOT @descending::boolean THEN name_key END,
			CASE WHEN @sort = 'name' AND @descending THEN name_key END DESC,
			CASE WHEN @sort = 'investment_count' THEN investment_count * CASE WHEN @descending THEN -1 ELSE 1 END END,
			CASE WHEN @sort = 'created_at' AND NOT @descending THEN created_at END,
			CASE WHEN @sort = 'created_at' AND @descending THEN created_at END DESC,
			id * CASE WHEN @descending THEN -1 ELSE 1 END
	) AS n, *
	FROM found
	ORDER BY n LIMIT @limit OFFSET @offset
)
SELECT t.total, coalesce(p.id, 0) AS id, coalesce(p.state, '') AS state, coalesce(p.name, '') AS name, p.entity_type, p.city, p.country,
	coalesce(p.investment_count, 0) AS investment_count, p.total_committed, coalesce(p.committed_known, 0) AS committed_known,
	coalesce(p.as_of, 'epoch') AS as_of
FROM (SELECT count(*) AS total FROM found) t
LEFT JOIN page p ON true
ORDER BY p.n
