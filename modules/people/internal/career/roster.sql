-- Everybody on the team or among the alumni of an adviser, by uid.
SELECT DISTINCT person_uid FROM people.posts WHERE crd = @crd AND standing <> 'lapsed' ORDER BY person_uid
