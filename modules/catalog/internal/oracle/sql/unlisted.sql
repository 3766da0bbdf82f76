-- Since when each adviser of $crds$ is in no list any more: the day of the first edition that no longer names it, of the
-- list that dropped it last. It is still listed while the newest edition of any list names it, unless that edition is more
-- than a year older: a firm that goes from one list to another has not gone. A form of that day or later ends it, as it
-- ends a withdrawal.
CREATE TEMP TABLE n_unlisted ON COMMIT DROP AS
WITH gone AS (
    SELECT DISTINCT ON (l.crd, l.series) l.crd, l.last_on,
           (SELECT min(e.day) FROM catalog.editions e WHERE e.series = l.series AND e.day > l.last_on) AS day
    FROM $crds$ t JOIN catalog.listings l USING (crd)
    ORDER BY l.crd, l.series, l.last_on DESC
), last AS (
    SELECT crd, max(day) AS day, max(last_on) FILTER (WHERE day IS NULL) AS listed_on FROM gone GROUP BY crd
)
SELECT crd, day AS not_listed_since FROM last
WHERE day IS NOT NULL AND (listed_on IS NULL OR listed_on < day - 365)
  AND NOT EXISTS (SELECT 1 FROM catalog.filings f WHERE f.crd = last.crd AND f.filing_date >= last.day AND f.form_type IN ('ADV', 'ADV/A'));
