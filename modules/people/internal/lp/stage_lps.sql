-- What the list states of each LP on each day. Where its rows disagree, most of them count.
CREATE TEMPORARY TABLE lp_list_lps ON COMMIT DROP AS
SELECT name_key, state, as_of, bool_or(pension) AS pension, mode() WITHIN GROUP (ORDER BY name COLLATE "C") AS name,
	mode() WITHIN GROUP (ORDER BY entity_type COLLATE "C") AS entity_type,
	mode() WITHIN GROUP (ORDER BY city COLLATE "C") AS city, mode() WITHIN GROUP (ORDER BY country COLLATE "C") AS country
FROM lp_list
GROUP BY name_key, state, as_of
