UPDATE people.posts p SET person_uid = s.new_uid FROM people.splits s WHERE p.person_uid = s.uid AND p.crd = s.crd
