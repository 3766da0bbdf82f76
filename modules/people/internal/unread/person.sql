-- Before the first resolution no ID is known. One that is not known may be of a person whose filing is not read yet.
WITH done AS (SELECT processed_at, arrival FROM people.progress), firms AS (
	SELECT p.crd FROM people.posts p WHERE p.person_uid = coalesce((SELECT a.person_uid FROM people.aliases a WHERE a.uid = @uid), @uid)
)
SELECT NOT EXISTS (SELECT FROM done)
	OR EXISTS (
		SELECT FROM done d JOIN catalog.pub_filing f ON f.processed_at > d.processed_at AND f.source = 'adv_archive'
		WHERE f.crd IN (SELECT crd FROM firms) OR NOT EXISTS (SELECT FROM firms)
	)
	OR EXISTS (
		SELECT FROM done d JOIN catalog.pub_offering o ON o.processed_at > d.processed_at OR o.arrival > d.arrival
		WHERE o.adviser_crd IN (SELECT crd FROM firms) OR NOT EXISTS (SELECT FROM firms)
	)
