-- Posts that decisions on some uids may move, the first sighted first. Their persons are those before.
SELECT p.crd, p.sight_uid, p.rule_uid, p.person_uid
FROM people.posts p
WHERE p.rule_uid = ANY (@uids) OR p.rule_uid IN (SELECT a.rule_uid FROM people.aliases a WHERE a.uid = ANY (@uids)) OR p.person_uid <> p.rule_uid
ORDER BY p.named_from, p.crd, p.sight_uid
