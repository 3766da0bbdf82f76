-- Whether anything was published since the last resolution.
SELECT EXISTS (
	SELECT FROM catalog.pub_arrival a WHERE a.known_at > coalesce((SELECT processed_at FROM people.progress), '-infinity')
	OR a.arrival > coalesce((SELECT arrival FROM people.progress), 0)
)
