INSERT INTO people.suppressions (key_hash, person_uid, of_uid, crd, rule_uid, reason, override_id, created_at)
VALUES (@hash, @uid, @of, @crd, @rule, @reason, @override, @at)
ON CONFLICT DO NOTHING
