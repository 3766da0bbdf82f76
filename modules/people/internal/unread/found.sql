-- Before the first resolution nobody can be found.
WITH done AS (SELECT processed_at, arrival FROM people.progress)
SELECT NOT EXISTS (SELECT FROM done)
	OR EXISTS (SELECT FROM done d JOIN catalog.pub_filing f ON f.processed_at > d.processed_at AND f.source = 'adv_archive' JOIN people.enriched_firms e USING (crd))
	OR EXISTS (
		SELECT FROM done d JOIN catalog.pub_offering o ON o.processed_at > d.processed_at OR o.arrival > d.arrival
		JOIN people.enriched_firms e ON e.crd = o.adviser_crd
	)
