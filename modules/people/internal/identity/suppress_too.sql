-- What an override keeps out is kept out by command as well, of the person or of one who was merged with somebody else then.
INSERT INTO people.suppressions (key_hash, person_uid, of_uid, crd, rule_uid, reason, created_at)
SELECT DISTINCT key_hash, @uid, of_uid, crd, rule_uid, @reason, @at::timestamptz FROM people.suppressions WHERE person_uid = @uid OR of_uid = @uid
ON CONFLICT DO NOTHING
