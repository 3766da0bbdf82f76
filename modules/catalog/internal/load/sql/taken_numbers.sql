-- Of the filings of a document that state an SEC number, how many are of an adviser that the catalog does not know, while the number is another's.
SELECT 'sec_number' AS field, coalesce(n.registration = 'exempt_reporting', false) AS exempt, count(*) AS compared, count(*) FILTER (WHERE own.crd IS NULL AND o.crd IS NOT NULL) AS changed
FROM s_version n
LEFT JOIN catalog.advisers own ON own.crd = n.crd
LEFT JOIN (SELECT sec_number, min(crd) AS crd FROM catalog.advisers GROUP BY 1) o ON o.sec_number = n.sec_number
WHERE n.sec_number IS NOT NULL
GROUP BY 2
