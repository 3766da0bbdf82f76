-- Whoever has several posts at the adviser is on the team if one of them is.
SELECT p.crd, p.person_uid, p.full_name, p.last_key, p.first_key, p.title, p.acquired_on, p.acquired_year_only, p.joined_after, p.joined_before, p.joined_monthly, p.named_until, p.left_before, p.source,
	coalesce(p.city, '') AS city, coalesce(p.state, '') AS state,
	people.unit_of(p.person_uid) AS sold_as, people.units_of(p.person_uid) AS bought
FROM (
	SELECT DISTINCT ON (crd, person_uid) * FROM people.posts
	WHERE crd = ANY (@crds) AND standing <> 'lapsed' ORDER BY crd, person_uid, standing DESC, named_until DESC, sight_uid
) p
WHERE p.standing = @standing
ORDER BY p.crd, p.person_uid
