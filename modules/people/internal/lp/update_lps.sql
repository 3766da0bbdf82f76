-- Of each LP, the latest values that lists state; of one day, those of the list loaded last.
UPDATE people.lps l
SET name = n.name, entity_type = n.entity_type, city = n.city, country = n.country
FROM (
	SELECT k.lp_id, (array_agg(k.name ORDER BY k.as_of DESC, k.run_id DESC))[1] AS name,
		coalesce((array_agg(k.entity_type ORDER BY k.as_of DESC, k.run_id DESC) FILTER (WHERE k.entity_type IS NOT NULL))[1], CASE WHEN bool_or(k.pension) THEN 'pension' END) AS entity_type,
		(array_agg(k.city ORDER BY k.as_of DESC, k.run_id DESC) FILTER (WHERE k.city IS NOT NULL))[1] AS city,
		(array_agg(k.country ORDER BY k.as_of DESC, k.run_id DESC) FILTER (WHERE k.country IS NOT NULL))[1] AS country
	FROM people.lp_listings k
	WHERE k.lp_id IN (SELECT lp_id FROM lp_touched)
	GROUP BY k.lp_id
) n
WHERE l.id = n.lp_id AND (l.name, l.entity_type, l.city, l.country) IS DISTINCT FROM (n.name, n.entity_type, n.city, n.country)
