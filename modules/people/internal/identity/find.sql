SELECT p.person_uid, p.full_name, p.crd, coalesce(g.legal_name, '') AS firm, coalesce(p.title, '') AS title, coalesce(p.number, '') AS number,
	p.standing, p.named_from::text, p.named_until::text
FROM people.posts p LEFT JOIN catalog.pub_gp g USING (crd)
WHERE p.last_key = @last AND (@first = '' OR p.first_key = @first)
ORDER BY p.full_name, p.person_uid, p.named_from DESC LIMIT 200
