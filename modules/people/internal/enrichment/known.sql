-- What is known of the people of an adviser through its own enrichments, by field and source. Answers that are too old do not count, also if
-- a later enrichment of another adviser keeps the profile.
WITH named AS (
	SELECT person_uid FROM people.roster WHERE crd = @crd
), said AS (
	SELECT n.person_uid, p.asked FROM named n JOIN people.profiles p USING (person_uid)
	UNION ALL
	SELECT n.person_uid, p.asked FROM named n JOIN people.aliases a ON a.person_uid = n.person_uid JOIN people.profiles p ON p.person_uid = a.uid
)
SELECT f.field, split_part(a.key, '/', 2) AS source, count(DISTINCT s.person_uid) AS people
FROM said s, jsonb_each(s.asked) a, jsonb_array_elements_text(coalesce(a.value -> 'fields', '[]')) f (field)
WHERE split_part(a.key, '/', 1) = @crd AND (a.value ->> 'at')::timestamptz >= @since GROUP BY 1, 2 ORDER BY 1, 2
