INSERT INTO people.aliases (uid, person_uid) VALUES (@kept, @uid) ON CONFLICT (uid) DO UPDATE SET person_uid = excluded.person_uid
