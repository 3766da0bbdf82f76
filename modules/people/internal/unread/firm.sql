WITH done AS (SELECT coalesce(max(processed_at), '-infinity') AS processed_at, coalesce(max(arrival), 0) AS arrival FROM people.progress)
SELECT EXISTS (SELECT FROM done d JOIN catalog.pub_filing f ON f.processed_at > d.processed_at AND f.source = 'adv_archive' WHERE f.crd = @crd)
	OR EXISTS (SELECT FROM done d JOIN catalog.pub_offering o ON o.processed_at > d.processed_at OR o.arrival > d.arrival WHERE o.adviser_crd = @crd)
