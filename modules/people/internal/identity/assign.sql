-- Who has one number is one person, known by the first sighting; unless the name says otherwise.
WITH first AS (
	SELECT DISTINCT ON (p.number) p.number, p.sight_uid, p.last_key, p.first_key
	FROM people.posts p WHERE p.number IN (SELECT number FROM r_number)
	ORDER BY p.number, p.named_from, length(p.sighted_in), p.sighted_in, p.sight_uid
), said AS (
	SELECT p.crd, p.sight_uid, CASE WHEN p.last_key = f.last_key OR p.first_key = f.first_key OR p.last_key = f.first_key AND p.first_key = f.last_key THEN f.sight_uid ELSE p.sight_uid END AS uid
	FROM people.posts p JOIN first f USING (number)
)
UPDATE people.posts p SET rule_uid = s.uid, person_uid = s.uid FROM said s
WHERE p.crd = s.crd AND p.sight_uid = s.sight_uid AND p.rule_uid <> s.uid
