-- What earlier documents of a list's name stated of LPs that the list does not have on that day, replaced by the newest that another document states.
UPDATE people.lp_listings k
SET run_id = r.run_id, name = r.name, entity_type = r.entity_type, pension = r.pension, city = r.city, country = r.country
FROM (
	SELECT DISTINCT ON (lp_id, as_of) r.*
	FROM lp_unlisted
	JOIN people.lp_listings_replaced r USING (lp_id, as_of)
	WHERE r.run_id <> ALL (@before::bigint[])
	ORDER BY lp_id, as_of, r.run_id DESC
) r
WHERE (k.lp_id, k.as_of) = (r.lp_id, r.as_of)
