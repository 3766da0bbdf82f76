-- The list's values for each LP as a whole: of several rows, the latest one with a value counts.
CREATE TEMPORARY TABLE lp_list_lps ON COMMIT DROP AS
SELECT name_key, state, max(as_of) AS as_of, bool_or(pension) AS pension,
	(array_agg(name ORDER BY as_of DESC, name))[1] AS name,
	(array_agg(entity_type ORDER BY as_of DESC, entity_type) FILTER (WHERE entity_type IS NOT NULL))[1] AS entity_type,
	(array_agg(city ORDER BY as_of DESC, city) FILTER (WHERE city IS NOT NULL))[1] AS city,
	(array_agg(country ORDER BY as_of DESC, country) FILTER (WHERE country IS NOT NULL))[1] AS country
FROM lp_list
GROUP BY name_key, state
