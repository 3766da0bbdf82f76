DELETE FROM people.profiles
WHERE person_uid = @uid OR person_uid IN (SELECT a.uid FROM people.aliases a WHERE a.person_uid = @uid)
