-- Posts of other advisers whose number one of these has.
INSERT INTO r_before
SELECT p.crd, p.sight_uid, p.person_uid, p.last_key, p.first_key FROM people.posts p
WHERE p.number IN (SELECT number FROM r_number)
