-- The operator's merges. Chains are not followed: who merges into somebody merged names the last.
UPDATE people.posts p SET person_uid = m.into_uid FROM people.merges m WHERE p.person_uid = m.uid
