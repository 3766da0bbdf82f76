-- Counts whom the edition before listed, and who of them is not named any more.
SELECT count(*), count(*) FILTER (WHERE n.crd IS NULL)
FROM catalog.listings l LEFT JOIN l_named n USING (crd)
WHERE l.series = $series$
	AND (SELECT max(e.day) FROM catalog.editions e WHERE e.series = $series$ AND e.day < $day$) BETWEEN l.first_on AND l.last_on
