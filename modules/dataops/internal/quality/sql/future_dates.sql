-- What is dated after today. Filings have a day's grace, for they carry no time zone.
SELECT 'filing' AS dimension, crd, accession || ' was filed on ' || filing_date AS detail, 1::bigint AS weight
FROM catalog.pub_filing WHERE filing_date > @day::date + 1
UNION ALL
SELECT 'registration', crd, 'registered on ' || registered_on, 1 FROM catalog.pub_gp WHERE registered_on > @day::date + 1
UNION ALL
SELECT 'vintage', adviser_crd, fund_id || ' is of ' || vintage_year, 1 FROM catalog.pub_fund
WHERE vintage_year > extract(year FROM @day::date) + 1
UNION ALL
SELECT 'first_sale', adviser_crd, accession || ' was first sold on ' || first_sale, 1 FROM catalog.pub_offering WHERE first_sale > @day::date + 366
