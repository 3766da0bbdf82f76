DELETE FROM people.posts p USING unnest(@crds::text[], @sights::text[]) AS h (crd, sight_uid)
WHERE p.crd = h.crd AND p.sight_uid = h.sight_uid
