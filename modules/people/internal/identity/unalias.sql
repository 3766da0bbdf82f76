DELETE FROM people.aliases a WHERE EXISTS (SELECT FROM people.posts p WHERE p.person_uid = a.uid)
