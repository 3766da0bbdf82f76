DELETE FROM people.aliases a WHERE EXISTS (SELECT FROM people.posts p WHERE p.person_uid = a.uid)
OR a.rule_uid <> a.uid AND EXISTS (SELECT FROM people.posts p WHERE p.rule_uid = a.uid)
