SELECT l.id, l.state, l.name, l.entity_type, l.city, l.country, l.investment_count, l.total_committed, l.as_of
FROM people.lps l
WHERE (@q = '' OR NOT EXISTS (SELECT FROM unnest(string_to_array(@q, ' ')) AS word WHERE strpos(l.name_key, word) = 0))
	AND (@entity_type = '' OR l.entity_type = @entity_type)
	AND l.investment_count >= @min_investments::integer
	AND (@crd = '' OR EXISTS (
		SELECT FROM people.lp_investments i WHERE i.lp_id = l.id AND i.match_crd = @crd AND i.match_confidence >= 0.8
	))
ORDER BY
	CASE WHEN @sort = 'name' AND NOT @descending::boolean THEN l.name_key END,
	CASE WHEN @sort = 'name' AND @descending::boolean THEN l.name_key END DESC,
	CASE WHEN @sort = 'investment_count' THEN l.investment_count * CASE WHEN @descending::boolean THEN -1 ELSE 1 END END,
	CASE WHEN @sort = 'created_at' AND NOT @descending::boolean THEN l.created_at END,
	CASE WHEN @sort = 'created_at' AND @descending::boolean THEN l.created_at END DESC,
	l.id * CASE WHEN @descending::boolean THEN -1 ELSE 1 END
LIMIT @limit OFFSET @offset
