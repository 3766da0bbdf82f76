-- By name, so that the IDs of a first load do not depend on the order of its rows.
INSERT INTO people.lps (name_key, state, name, entity_type, city, country, as_of, created_at)
SELECT name_key, state, name, entity_type, city, country, as_of, @now
FROM (
	SELECT DISTINCT ON (name_key, state) *
	FROM lp_list n
	WHERE NOT EXISTS (SELECT FROM people.lps l WHERE l.name_key = n.name_key AND l.state = n.state)
	ORDER BY name_key, state, as_of DESC, name, entity_type, city, country
) n
ORDER BY name_key, state
