INSERT INTO people.suppressions (key_hash, person_uid, reason, created_at) VALUES (@hash, @uid, @reason, @at)
ON CONFLICT DO NOTHING
