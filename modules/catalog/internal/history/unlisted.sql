-- Since when advisers are in no list any more: the day of the first edition that no longer names one, of the list that dropped it last.
-- It is still listed while the newest edition of any list names it, unless that edition is more than a year older: a firm that goes
-- from one list to another has not gone. A form of that day or later ends it: see fold.filedSince.
-- A listing that goes on after the day counts up to the newest edition that there was on the day. It counts where any of its
-- editions was known: the first of them may have been loaded later.
WITH gone AS (
	SELECT DISTINCT ON (l.crd, l.series) l.crd, known.last_on,
		(SELECT min(f.day) FROM catalog.editions f WHERE f.series = l.series AND f.day > l.last_on AND f.day <= @day{{known}}) AS day
	FROM catalog.listings l
	CROSS JOIN LATERAL (
		SELECT max(f.day) AS last_on FROM catalog.editions f
		WHERE f.series = l.series AND f.day BETWEEN l.first_on AND least(l.last_on, @day::date){{known}}
	) known
	WHERE known.last_on IS NOT NULL{{of}}
	ORDER BY l.crd, l.series, l.last_on DESC
), last AS (
	SELECT crd, max(day) AS day, max(last_on) FILTER (WHERE day IS NULL) AS listed_on FROM gone GROUP BY crd
)
SELECT crd, day FROM last WHERE day IS NOT NULL AND (listed_on IS NULL OR listed_on < day - 365)
