-- What an override keeps out is kept out by command as well.
INSERT INTO people.suppressions (key_hash, person_uid, reason, created_at)
SELECT DISTINCT key_hash, person_uid, @reason, @at::timestamptz FROM people.suppressions WHERE person_uid = @uid
ON CONFLICT DO NOTHING
