SELECT p.person_uid, p.crd, p.sight_uid, coalesce(g.legal_name, '') AS firm, coalesce(p.title, '') AS title, p.standing, p.source,
	p.acquired_on, p.acquired_year_only, p.left_before, p.named_from, p.named_until
FROM people.posts p LEFT JOIN catalog.pub_gp g USING (crd)
WHERE p.person_uid = ANY (@uids)
ORDER BY p.crd, p.sight_uid
