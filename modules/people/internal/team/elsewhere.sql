SELECT DISTINCT ON (p.person_uid) p.person_uid, p.crd, coalesce(g.legal_name, '') AS firm, p.title
FROM people.posts p JOIN catalog.pub_gp g USING (crd)
WHERE p.person_uid = ANY (@uids) AND p.crd <> @crd AND p.standing = 'team'
ORDER BY p.person_uid, p.named_until DESC, p.crd
