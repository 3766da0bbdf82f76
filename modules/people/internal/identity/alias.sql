-- A uid that no person has any more redirects to the person first sighted under it, else to the one of that name at the adviser.
WITH gone AS (
	SELECT u.uid, b.crd, b.sight_uid, b.last_key, b.first_key, b.name_hash FROM r_before b, unnest(ARRAY[b.rule_uid, b.person_uid]) AS u (uid)
	WHERE NOT EXISTS (SELECT FROM people.posts o WHERE o.rule_uid = u.uid)
), found AS (
	SELECT g.uid, 1 AS rank, p.rule_uid, p.named_from FROM gone g JOIN people.posts p ON p.sight_uid = g.uid
	UNION ALL
	SELECT g.uid, 2, p.rule_uid, p.named_from FROM gone g JOIN people.posts p ON p.crd = g.crd AND p.sight_uid = g.sight_uid
	UNION ALL
	SELECT g.uid, 2, p.rule_uid, p.named_from
	FROM gone g JOIN r_name n ON n.crd = g.crd AND n.uid = g.sight_uid JOIN people.posts p ON p.crd = n.crd AND p.sight_uid = n.sight_uid
	UNION ALL
	SELECT g.uid, 3, p.rule_uid, p.named_from
	FROM gone g JOIN people.posts p ON p.crd = g.crd AND p.last_key = g.last_key AND p.first_key = g.first_key
	UNION ALL
	SELECT g.uid, 3, p.rule_uid, p.named_from
	FROM gone g JOIN people.posts p ON p.crd = g.crd
		AND {{name hash}} = g.name_hash
	WHERE g.name_hash IS NOT NULL
)
INSERT INTO people.aliases (uid, rule_uid, person_uid)
SELECT DISTINCT ON (uid) uid, rule_uid, rule_uid FROM found ORDER BY uid, rank, named_from, rule_uid
ON CONFLICT (uid) DO UPDATE SET rule_uid = excluded.rule_uid
