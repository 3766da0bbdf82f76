-- The newest figures of each metric, with those of its day before.
WITH days AS (
	SELECT metric, max(day) AS day FROM dataops.quality_metrics GROUP BY metric
)
SELECT m.metric, m.dimension, m.day, m.affected, m.total, m.value, m.sample, m.computed_at, (
	SELECT b.value FROM dataops.quality_metrics b WHERE b.metric = m.metric AND b.dimension = m.dimension AND b.day < m.day ORDER BY b.day DESC LIMIT 1
) AS before
FROM dataops.quality_metrics m JOIN days USING (metric, day)
ORDER BY m.metric, m.value DESC, m.dimension
