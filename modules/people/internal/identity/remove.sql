DELETE FROM people.posts p WHERE p.crd = ANY (@crds)
AND NOT EXISTS (SELECT FROM r_post r WHERE r.crd = p.crd AND r.sight_uid = p.sight_uid)
