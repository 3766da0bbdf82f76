-- Who was there before, for the aliases.
INSERT INTO r_before SELECT crd, sight_uid, person_uid, rule_uid, last_key, first_key FROM people.posts WHERE crd = ANY (@crds)
