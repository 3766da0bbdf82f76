-- Numbers of whom the rules took for one with somebody who was kept out.
INSERT INTO r_number
SELECT p.number FROM people.posts p WHERE p.number IS NOT NULL AND p.rule_uid IN (SELECT rule_uid FROM people.suppressed_at)
