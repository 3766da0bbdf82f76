-- Posts of other advisers whose number one of these has, and those that decisions have moved.
INSERT INTO r_before
SELECT p.crd, p.sight_uid, p.person_uid, p.rule_uid, p.last_key, p.first_key FROM people.posts p
WHERE p.number IN (SELECT number FROM r_number) OR p.person_uid <> p.rule_uid
