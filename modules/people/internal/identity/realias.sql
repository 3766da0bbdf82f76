UPDATE people.aliases a SET person_uid = b.person_uid FROM people.aliases b WHERE a.person_uid = b.uid
