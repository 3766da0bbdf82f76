SELECT count(*)
FROM people.lps l
WHERE (@q = '' OR NOT EXISTS (SELECT FROM unnest(string_to_array(@q, ' ')) AS word WHERE strpos(l.name_key, word) = 0))
	AND (@entity_type = '' OR l.entity_type = @entity_type)
	AND l.investment_count >= @min_investments::integer
	AND (@crd = '' OR EXISTS (
		SELECT FROM people.lp_investments i WHERE i.lp_id = l.id AND i.match_crd = @crd AND i.match_confidence >= 0.8
	))
