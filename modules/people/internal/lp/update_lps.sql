-- A list's values for an LP count unless a list of a later day has some. Values that the list lacks stay.
UPDATE people.lps l
SET name = n.name, entity_type = n.entity_type, city = n.city, country = n.country
FROM (
	SELECT k.id, CASE WHEN newer THEN n.name ELSE k.name END AS name,
		coalesce(CASE WHEN newer THEN n.entity_type END, k.entity_type, n.entity_type, CASE WHEN n.pension THEN 'pension' END) AS entity_type,
		coalesce(CASE WHEN newer THEN n.city END, k.city, n.city) AS city, coalesce(CASE WHEN newer THEN n.country END, k.country, n.country) AS country
	FROM lp_list_lps n
	JOIN people.lps k USING (name_key, state), LATERAL (SELECT n.as_of >= k.as_of AS newer) d
) n
WHERE l.id = n.id AND (l.name, l.entity_type, l.city, l.country) IS DISTINCT FROM (n.name, n.entity_type, n.city, n.country)
