INSERT INTO people.suppressions (key_hash, person_uid, of_uid, reason, override_id, created_at) VALUES (@hash, @uid, @of, @reason, @override, @at)
ON CONFLICT DO NOTHING
