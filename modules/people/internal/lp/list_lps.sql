-- What the list states of its LPs. Where it states nothing, what another list of the day states stays, and so does what an earlier list of the same
-- name stated in a column that this one leaves empty throughout.
INSERT INTO people.lp_listings AS k (lp_id, as_of, run_id, name, entity_type, pension, city, country)
SELECT l.id, n.as_of, @run_id, n.name,
	coalesce(n.entity_type, CASE WHEN NOT (again AND h.entity_type) THEN o.entity_type END),
	n.pension OR NOT again AND coalesce(o.pension, false),
	coalesce(n.city, CASE WHEN NOT (again AND h.city) THEN o.city END),
	coalesce(n.country, CASE WHEN NOT (again AND h.country) THEN o.country END)
FROM lp_list_lps n
JOIN people.lps l USING (name_key, state)
LEFT JOIN people.lp_listings o ON o.lp_id = l.id AND o.as_of = n.as_of
CROSS JOIN LATERAL (SELECT coalesce(o.run_id = ANY (@before::bigint[]), false) AS again) x
CROSS JOIN (
	SELECT bool_or(entity_type IS NOT NULL) AS entity_type, bool_or(city IS NOT NULL) AS city, bool_or(country IS NOT NULL) AS country
	FROM lp_list
) h
ON CONFLICT (lp_id, as_of) DO UPDATE SET
	run_id = excluded.run_id, name = excluded.name, entity_type = excluded.entity_type, pension = excluded.pension, city = excluded.city, country = excluded.country
WHERE (k.name, k.entity_type, k.pension, k.city, k.country)
	IS DISTINCT FROM (excluded.name, excluded.entity_type, excluded.pension, excluded.city, excluded.country)
