-- The posts of some people, those of some numbers, and those at some places.
SELECT p.crd, p.sight_uid, p.rule_uid, p.person_uid, coalesce(p.number, '') AS number, p.last_key, p.first_key
FROM people.posts p WHERE p.person_uid = ANY (@people)
UNION
SELECT p.crd, p.sight_uid, p.rule_uid, p.person_uid, p.number, p.last_key, p.first_key
FROM people.posts p WHERE p.number = ANY (@numbers)
UNION
SELECT p.crd, p.sight_uid, p.rule_uid, p.person_uid, coalesce(p.number, ''), p.last_key, p.first_key
FROM unnest(@crds::text[], @sights::text[]) AS a (crd, sight_uid) JOIN people.posts p USING (crd, sight_uid)
ORDER BY 1, 2
