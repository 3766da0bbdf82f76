UPDATE people.posts p SET rule_uid = p.sight_uid, person_uid = p.sight_uid FROM (SELECT DISTINCT crd FROM r_before) b
WHERE p.crd = b.crd AND p.number IS NULL AND p.rule_uid <> p.sight_uid
