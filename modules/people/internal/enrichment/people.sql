-- People of an adviser, each once.
SELECT DISTINCT ON (person_uid) person_uid, standing, coalesce(title, '') AS title, named_until
FROM people.posts WHERE crd = @crd AND standing <> 'lapsed' ORDER BY person_uid, standing DESC, named_until DESC, sight_uid
