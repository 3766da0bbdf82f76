-- By name, so that the IDs of a first load do not depend on the order of its rows.
INSERT INTO people.lps (name_key, state, name, entity_type, city, country, as_of, created_at)
SELECT name_key, state, name, coalesce(entity_type, CASE WHEN pension THEN 'pension' END), city, country, as_of, @now
FROM lp_list_lps n
WHERE NOT EXISTS (SELECT FROM people.lps l WHERE l.name_key = n.name_key AND l.state = n.state)
ORDER BY name_key, state
