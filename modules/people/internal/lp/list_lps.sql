-- What the list states of its LPs. Where it states nothing, what another list of the day states stays, and so does what an earlier list of the same
-- name stated in a column that this one leaves empty throughout. What documents with other names state of that day is kept aside.
WITH stated AS (
	SELECT l.id AS lp_id, n.as_of, n.name,
		coalesce(n.entity_type, CASE WHEN NOT (again AND h.entity_type) THEN o.entity_type END) AS entity_type,
		n.pension OR NOT again AND coalesce(o.pension, false) AS pension,
		coalesce(n.city, CASE WHEN NOT (again AND h.city) THEN o.city END) AS city,
		coalesce(n.country, CASE WHEN NOT (again AND h.country) THEN o.country END) AS country
	FROM lp_list_lps n
	JOIN people.lps l USING (name_key, state)
	LEFT JOIN people.lp_listings o ON o.lp_id = l.id AND o.as_of = n.as_of
	CROSS JOIN LATERAL (SELECT coalesce(o.run_id = ANY (@before::bigint[]), false) AS again) x
	CROSS JOIN (
		SELECT bool_or(entity_type IS NOT NULL) AS entity_type, bool_or(city IS NOT NULL) AS city, bool_or(country IS NOT NULL) AS country
		FROM lp_list
	) h
), compared AS MATERIALIZED (
	SELECT n.*, k.run_id AS run_before,
		(k.name, k.entity_type, k.pension, k.city, k.country) IS DISTINCT FROM (n.name, n.entity_type, n.pension, n.city, n.country) AS changed
	FROM stated n
	LEFT JOIN people.lp_listings k USING (lp_id, as_of)
), replaced AS (
	INSERT INTO people.lp_listings_replaced
	SELECT k.* FROM people.lp_listings k JOIN compared n USING (lp_id, as_of) WHERE n.changed AND k.run_id <> ALL (@before)
	ON CONFLICT DO NOTHING
), shared AS (
	INSERT INTO people.lp_listings_replaced (lp_id, as_of, run_id, name, entity_type, pension, city, country)
	SELECT lp_id, as_of, @run_id, name, entity_type, pension, city, country FROM compared WHERE NOT changed AND run_before <> ALL (@before)
	ON CONFLICT DO NOTHING
)
INSERT INTO people.lp_listings (lp_id, as_of, run_id, name, entity_type, pension, city, country)
SELECT lp_id, as_of, @run_id, name, entity_type, pension, city, country FROM compared WHERE changed
ON CONFLICT (lp_id, as_of) DO UPDATE SET
	run_id = excluded.run_id, name = excluded.name, entity_type = excluded.entity_type, pension = excluded.pension, city = excluded.city, country = excluded.country
