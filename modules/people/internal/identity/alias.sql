-- A uid that nobody has any more leads to whoever was first sighted under it, else to the one of that name at the adviser.
WITH gone AS (
	SELECT * FROM r_before b WHERE NOT EXISTS (SELECT FROM people.posts o WHERE o.person_uid = b.person_uid)
), found AS (
	SELECT g.person_uid AS uid, 1 AS rank, p.person_uid, p.named_from FROM gone g JOIN people.posts p ON p.sight_uid = g.person_uid
	UNION ALL
	SELECT g.person_uid, 2, p.person_uid, p.named_from FROM gone g JOIN people.posts p ON p.crd = g.crd AND p.sight_uid = g.sight_uid
	UNION ALL
	SELECT g.person_uid, 3, p.person_uid, p.named_from
	FROM gone g JOIN people.posts p ON p.crd = g.crd AND p.last_key = g.last_key AND p.first_key = g.first_key
)
INSERT INTO people.aliases (uid, person_uid)
SELECT DISTINCT ON (uid) uid, person_uid FROM found ORDER BY uid, rank, named_from, person_uid
ON CONFLICT (uid) DO UPDATE SET person_uid = excluded.person_uid
