SELECT p.crd, p.person_uid, p.full_name, p.last_key, p.first_key, p.title, p.acquired_on, p.acquired_year_only, p.joined_after, p.joined_before, p.joined_monthly, p.named_until, p.left_before, p.source,
	coalesce(p.city, '') AS city, coalesce(p.state, '') AS state,
	people.unit_of(p.person_uid) AS sold_as, people.units_of(p.person_uid) AS bought
FROM people.roster p
WHERE p.crd = ANY (@crds) AND p.standing = @standing
ORDER BY p.crd, p.person_uid
