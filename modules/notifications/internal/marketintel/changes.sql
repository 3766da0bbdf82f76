-- Advisers whose newest filing states other assets than their newest one of before: the largest changes first. One that was
-- exempt before, or is now, is no change, because it files no regulatory assets then: see catalogapi.AssetsDiffer.
WITH fresh AS (
	SELECT DISTINCT ON (crd) crd, filing_date, raum, registration FROM catalog.pub_adviser_filing
	WHERE raum > 0 AND arrival > @low AND arrival <= @high
	ORDER BY crd, version_order DESC
)
SELECT f.crd, coalesce(g.legal_name, '') AS name, '/gps/' || f.crd AS path, '' AS word, f.raum AS amount, b.raum AS before, f.filing_date AS day, count(*) OVER () AS total
FROM fresh f
JOIN LATERAL (
	SELECT raum, filing_date, registration FROM catalog.pub_adviser_filing p
	WHERE p.crd = f.crd AND (p.raum > 0 OR p.registration = 'exempt_reporting') AND p.arrival <= @low
	ORDER BY version_order DESC LIMIT 1
) b ON b.filing_date < f.filing_date AND b.raum > 0 AND b.raum <> f.raum AND 'exempt_reporting' NOT IN (coalesce(b.registration, ''), coalesce(f.registration, ''))
LEFT JOIN catalog.pub_gp g ON g.crd = f.crd
ORDER BY abs(f.raum - b.raum) DESC, f.crd LIMIT @most
