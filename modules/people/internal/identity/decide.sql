UPDATE people.posts p SET person_uid = d.person_uid
FROM unnest(@crds::text[], @sights::text[], @people::text[]) AS d (crd, sight_uid, person_uid)
WHERE p.crd = d.crd AND p.sight_uid = d.sight_uid AND p.person_uid <> d.person_uid
