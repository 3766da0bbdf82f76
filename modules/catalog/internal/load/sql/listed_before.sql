-- Counts the advisers in the previous edition, and those of them that the document no longer names.
SELECT count(*), count(*) FILTER (WHERE n.crd IS NULL)
FROM catalog.listings l LEFT JOIN l_named n USING (crd)
WHERE l.series = $series$
	AND (SELECT max(e.day) FROM catalog.editions e WHERE e.series = $series$ AND e.day < $day$) BETWEEN l.first_on AND l.last_on
