-- What is known of the people of an adviser, by field and source.
WITH named AS (
	SELECT DISTINCT person_uid FROM people.posts WHERE crd = @crd AND standing <> 'lapsed'
), said AS (
	SELECT n.person_uid, p.fields FROM named n JOIN people.profiles p USING (person_uid)
	UNION ALL
	SELECT n.person_uid, p.fields FROM named n JOIN people.aliases a ON a.person_uid = n.person_uid JOIN people.profiles p ON p.person_uid = a.uid
)
SELECT f.key AS field, f.value ->> 'source' AS source, count(DISTINCT s.person_uid) AS people
FROM said s, jsonb_each(s.fields) f GROUP BY 1, 2 ORDER BY 1, 2
