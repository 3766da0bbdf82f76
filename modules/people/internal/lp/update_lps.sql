-- What a list says of an LP counts when none of a later day has spoken.
UPDATE people.lps l
SET name = n.name, entity_type = n.entity_type, city = coalesce(n.city, l.city), country = coalesce(n.country, l.country)
FROM (SELECT DISTINCT ON (name_key, state) * FROM lp_list ORDER BY name_key, state, as_of DESC, name, entity_type, city, country) n
WHERE l.name_key = n.name_key AND l.state = n.state AND n.as_of >= l.as_of
	AND (l.name, l.entity_type, l.city, l.country) IS DISTINCT FROM (n.name, n.entity_type, coalesce(n.city, l.city), coalesce(n.country, l.country))
