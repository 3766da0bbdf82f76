-- People of advisers that were enriched since a time, by all their names and advisers.
SELECT p.person_uid, array_agg(DISTINCT p.full_name) AS names,
	array_agg(DISTINCT coalesce(g.legal_name, '') || ' ' || coalesce(g.business_name, '')) AS firms
FROM people.posts p LEFT JOIN catalog.pub_gp g USING (crd)
WHERE p.person_uid IN (SELECT e.person_uid FROM people.posts e JOIN people.enriched_firms f USING (crd) WHERE f.last_at > @since)
GROUP BY p.person_uid
