-- A listing that goes on after the day counts up to the newest edition that there was on the day.
WITH gone AS (
	SELECT DISTINCT ON (l.crd, l.series) l.crd,
		(SELECT max(f.day) FROM catalog.editions f WHERE f.series = l.series AND f.day <= least(l.last_on, @day::date){{known}}) AS last_on,
		(SELECT min(f.day) FROM catalog.editions f WHERE f.series = l.series AND f.day > l.last_on AND f.day <= @day{{known}}) AS day
	FROM catalog.listings l JOIN catalog.editions f ON f.series = l.series AND f.day = l.first_on
	WHERE l.first_on <= @day{{known}}{{of}}
	ORDER BY l.crd, l.series, l.last_on DESC
), last AS (
	SELECT crd, max(day) AS day, max(last_on) FILTER (WHERE day IS NULL) AS listed_on FROM gone GROUP BY crd
)
SELECT crd::bigint, day FROM last WHERE day IS NOT NULL AND (listed_on IS NULL OR listed_on < day - 365)
