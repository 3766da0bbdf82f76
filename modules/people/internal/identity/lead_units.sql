INSERT INTO people.aliases AS a (uid, person_uid)
SELECT u.unit, coalesce(f.person_uid, u.uid) FROM people.units u LEFT JOIN people.aliases f ON f.uid = u.uid
ON CONFLICT (uid) DO UPDATE SET person_uid = excluded.person_uid WHERE a.person_uid <> excluded.person_uid
