-- Numbers whose people may change: those of the advisers before and now.
INSERT INTO r_number
SELECT number FROM people.posts WHERE crd = ANY (@crds) AND number IS NOT NULL
UNION SELECT number FROM r_post WHERE number IS NOT NULL
