-- Advisers whose filings or notices were loaded or restated since the last resolution. Only archives of Form ADV have Schedules A and B:
-- a roster or a feed names all firms and no people.
SELECT DISTINCT crd FROM catalog.pub_filing WHERE processed_at > @processed AND source = 'adv_archive'
UNION
SELECT DISTINCT adviser_crd FROM catalog.pub_offering WHERE processed_at > @processed OR arrival > @arrival
ORDER BY 1
