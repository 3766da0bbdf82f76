-- Whom suppressions kept out before: their uids lead on as those of others do.
INSERT INTO r_before (crd, sight_uid, person_uid, rule_uid, name_hash)
SELECT crd, sight_uid, person_uid, rule_uid, name_hash FROM people.suppressed_at WHERE sight_uid <> ''
