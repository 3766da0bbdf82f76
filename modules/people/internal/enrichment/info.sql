SELECT (SELECT count(DISTINCT p.person_uid) FROM people.posts p WHERE p.crd = g.crd AND p.standing <> 'lapsed') AS people,
	f.last_at AS enriched_at,
	coalesce((SELECT e.state FROM people.enrichments e WHERE e.crd = g.crd ORDER BY e.created_at DESC, e.id LIMIT 1), 'none') AS state
FROM catalog.pub_gp g LEFT JOIN people.enriched_firms f USING (crd) WHERE g.crd = @crd
