-- Advisers whose filings or notices were loaded or restated since the last resolution.
SELECT DISTINCT crd FROM catalog.pub_filing WHERE processed_at > @processed
UNION
SELECT DISTINCT adviser_crd FROM catalog.pub_offering WHERE processed_at > @processed OR arrival > @arrival
ORDER BY 1
