-- Posts of a person as filings tell them, the latest first.
SELECT p.crd, coalesce(g.legal_name, '') AS firm, coalesce(g.website, '') AS website, p.full_name, p.first_key, p.last_key, coalesce(p.title, '') AS title,
	p.acquired_on, p.acquired_year_only, p.named_from, p.named_until, p.left_before, p.standing
FROM people.posts p LEFT JOIN catalog.pub_gp g USING (crd)
WHERE p.person_uid = @uid
ORDER BY p.standing = 'team' DESC, p.named_until DESC, p.crd, p.sight_uid
