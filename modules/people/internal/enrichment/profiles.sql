-- What providers have said of a person, also under former uids, the present one first.
SELECT p.* FROM people.profiles p
WHERE p.person_uid = @uid OR p.person_uid IN (SELECT a.uid FROM people.aliases a WHERE a.person_uid = @uid)
ORDER BY p.person_uid = @uid DESC, p.updated_at DESC
