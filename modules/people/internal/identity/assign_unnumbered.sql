UPDATE people.posts p SET person_uid = p.sight_uid FROM (SELECT DISTINCT crd FROM r_before) b
WHERE p.crd = b.crd AND p.number IS NULL AND p.person_uid <> p.sight_uid
