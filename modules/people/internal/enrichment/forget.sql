-- What is too old, and what is about nobody whom filings still name.
DELETE FROM people.profiles p
WHERE p.updated_at < @before OR NOT EXISTS (
	SELECT FROM people.posts o
	WHERE o.person_uid = p.person_uid OR o.person_uid = (SELECT a.person_uid FROM people.aliases a WHERE a.uid = p.person_uid)
)
