SELECT coalesce(g.city, '') AS city, coalesce(g.state, '') AS state, coalesce(g.country, '') AS country,
	coalesce(f.schedules, 0) AS schedules, coalesce(f.notices, 0) AS notices, f.schedules_from, f.schedules_until, f.notices_until,
	(SELECT count(DISTINCT p.person_uid) FROM people.posts p WHERE p.crd = g.crd AND p.standing = 'lapsed') AS lapsed
FROM catalog.pub_gp g LEFT JOIN people.firms f USING (crd) WHERE g.crd = @crd
