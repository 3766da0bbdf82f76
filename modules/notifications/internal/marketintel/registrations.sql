-- Advisers whose first filing became known, and that registered or filed it recently: one that is old was only loaded late.
WITH first AS (
	SELECT crd, min(arrival) AS arrival, min(least(status_date, filing_date)) AS since
	FROM catalog.pub_adviser_filing GROUP BY crd
)
SELECT g.crd, g.legal_name AS name, '/gps/' || g.crd AS path, concat_ws(', ', nullif(g.city, ''), coalesce(nullif(g.state, ''), nullif(g.country, ''))) AS word,
	coalesce(g.total_aum, -1) AS amount, 0::bigint AS before, f.since AS day, count(*) OVER () AS total
FROM first f JOIN catalog.pub_gp g USING (crd)
WHERE f.arrival > @low AND f.arrival <= @high AND f.since >= @recent::date AND NOT g.former
ORDER BY g.total_aum DESC NULLS LAST, g.legal_name, g.crd LIMIT @most
