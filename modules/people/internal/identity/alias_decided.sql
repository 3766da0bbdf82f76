-- A uid that the rules give somebody, and decisions give nobody, is a former one.
INSERT INTO people.aliases (uid, rule_uid, person_uid)
SELECT DISTINCT p.rule_uid, p.rule_uid, p.rule_uid FROM people.posts p
WHERE p.person_uid <> p.rule_uid AND NOT EXISTS (SELECT FROM people.posts o WHERE o.person_uid = p.rule_uid)
ON CONFLICT (uid) DO UPDATE SET rule_uid = excluded.rule_uid
