SELECT DISTINCT p.person_uid FROM people.posts p JOIN people.enriched_firms USING (crd) WHERE p.person_uid = ANY (@uids)
