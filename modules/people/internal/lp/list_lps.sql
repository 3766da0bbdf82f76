-- What the list states of its LPs, in place of what documents of its name stated before.
WITH corrected AS (
	DELETE FROM people.lp_listings k
	WHERE k.run_id = ANY (@before::bigint[]) AND (k.lp_id, k.as_of) IN (SELECT l.id, n.as_of FROM lp_list_lps n JOIN people.lps l USING (name_key, state))
)
INSERT INTO people.lp_listings (lp_id, as_of, run_id, name, entity_type, pension, city, country)
SELECT l.id, n.as_of, @run_id, n.name, n.entity_type, n.pension, n.city, n.country
FROM lp_list_lps n
JOIN people.lps l USING (name_key, state)
