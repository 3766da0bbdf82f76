-- Whoever has several posts at the adviser is on the team if one of them is.
SELECT p.person_uid, p.full_name, p.last_key, p.first_key, p.title, p.acquired_on, p.named_until, p.left_before, p.source,
	coalesce(p.city, '') AS city, coalesce(p.state, '') AS state,
	ARRAY(SELECT a.uid FROM people.aliases a WHERE a.person_uid = p.person_uid ORDER BY a.uid) AS aliases
FROM (
	SELECT DISTINCT ON (person_uid) * FROM people.posts
	WHERE crd = @crd AND standing <> 'lapsed' ORDER BY person_uid, standing DESC, named_until DESC, sight_uid
) p
WHERE p.standing = @standing
ORDER BY p.person_uid
