-- Who some people are now: the newest post on a team, else the newest at all.
SELECT DISTINCT ON (p.person_uid) p.person_uid, p.full_name, coalesce(p.title, '') AS title, p.standing = 'team' AS current, p.crd,
	coalesce(g.legal_name, '') AS firm, people.unit_of(p.person_uid) AS sold_as, people.units_of(p.person_uid) AS bought
FROM people.posts p LEFT JOIN catalog.pub_gp g USING (crd)
WHERE p.person_uid = ANY (@uids)
ORDER BY p.person_uid, p.standing = 'team' DESC, p.named_until DESC, p.crd, p.sight_uid
