-- Of the filings of a document that state an SEC number, how many are under a CRD number although the catalog knows it of other advisers only.
SELECT 'crd' AS field, coalesce(n.registration = 'exempt_reporting', false) AS exempt, count(*) AS compared,
    count(*) FILTER (WHERE n.crd <> ALL (o.crds)) AS changed, 0 AS most
FROM s_version n
LEFT JOIN (SELECT sec_number, array_agg(crd) AS crds FROM catalog.advisers GROUP BY 1) o ON o.sec_number = n.sec_number
WHERE n.sec_number IS NOT NULL
GROUP BY 2
