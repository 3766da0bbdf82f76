-- The people whose post at an adviser is another than before the resolution: who came, who left, and whose title has changed. A post is found again by
-- its first sighting, or by what its uid leads to now.
--
-- The first schedule of an adviser shows who was there, not who came, and so does the first notice that names a person. People whom suppressions hide,
-- before or now, have not moved.
WITH hidden AS MATERIALIZED (
	SELECT crd, sight_uid, person_uid FROM people.suppressed_at UNION SELECT crd, sight_uid, person_uid FROM r_was WHERE standing = 'hidden'
), placed AS (
	SELECT w.crd, w.sight_uid, coalesce(p.person_uid, a.person_uid, w.person_uid) AS person_uid, w.standing = 'team' AS current, w.title, w.named_until, w.left_before
	FROM r_was w LEFT JOIN people.posts p USING (crd, sight_uid) LEFT JOIN people.aliases a ON a.uid = w.person_uid
	WHERE w.standing NOT IN ('hidden', 'read') AND (w.crd, w.sight_uid) NOT IN (SELECT crd, sight_uid FROM hidden)
), before AS (
	SELECT DISTINCT ON (crd, person_uid) * FROM placed ORDER BY crd, person_uid, current DESC, named_until DESC, sight_uid
), after AS (
	SELECT DISTINCT ON (crd, person_uid) crd, person_uid, standing = 'team' AS current, title, named_until, left_before, source
	FROM people.posts WHERE crd = ANY (@crds)
	ORDER BY crd, person_uid, standing = 'team' DESC, named_until DESC, sight_uid
)
SELECT crd, person_uid, g.legal_name AS gp_name, coalesce(b.current, false) AS was_current, coalesce(a.current, false) AS current,
	coalesce(b.title, '') AS was_title, coalesce(a.title, '') AS title, CASE WHEN a.current THEN a.named_until ELSE a.left_before END AS day
FROM before b FULL JOIN after a USING (crd, person_uid) LEFT JOIN catalog.pub_gp g USING (crd)
WHERE (crd, person_uid) NOT IN (SELECT crd, person_uid FROM hidden) AND CASE
	WHEN coalesce(b.current, false) AND coalesce(a.current, false) THEN b.title IS DISTINCT FROM a.title
	WHEN a.current THEN (b.crd IS NOT NULL OR a.source = 'schedules') AND crd IN (SELECT crd FROM r_was WHERE standing = 'read')
	ELSE b.current
END
