-- The uid of the person stays for now: see assignNumbered.
INSERT INTO people.posts AS p SELECT * FROM r_post
ON CONFLICT (crd, sight_uid) DO UPDATE SET number = excluded.number, last_key = excluded.last_key, first_key = excluded.first_key,
	full_name = excluded.full_name, title = excluded.title, acquired_on = excluded.acquired_on, named_from = excluded.named_from,
	named_until = excluded.named_until, left_before = excluded.left_before, standing = excluded.standing, source = excluded.source,
	city = excluded.city, state = excluded.state, sighted_in = excluded.sighted_in,
	acquired_year_only = excluded.acquired_year_only, joined_after = excluded.joined_after, joined_before = excluded.joined_before,
	joined_monthly = excluded.joined_monthly
WHERE (p.number, p.last_key, p.first_key, p.full_name, p.title, p.acquired_on, p.named_from, p.named_until, p.left_before, p.standing, p.source,
		p.city, p.state, p.sighted_in, p.acquired_year_only, p.joined_after, p.joined_before, p.joined_monthly)
	IS DISTINCT FROM (excluded.number, excluded.last_key, excluded.first_key, excluded.full_name, excluded.title, excluded.acquired_on,
		excluded.named_from, excluded.named_until, excluded.left_before, excluded.standing, excluded.source, excluded.city, excluded.state,
		excluded.sighted_in, excluded.acquired_year_only, excluded.joined_after, excluded.joined_before, excluded.joined_monthly)
