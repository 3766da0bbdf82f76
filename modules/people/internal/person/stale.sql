-- People none of whose advisers was enriched after a time, with the newest enrichment.
SELECT p.person_uid, max(f.last_at) AS enriched_at, count(*) OVER () AS total
FROM people.posts p JOIN people.enriched_firms f USING (crd)
GROUP BY p.person_uid HAVING max(f.last_at) <= @until
ORDER BY enriched_at, p.person_uid LIMIT @limit
