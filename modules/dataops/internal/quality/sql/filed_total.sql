-- GPs that filed in the last 31 days.
SELECT count(DISTINCT crd) FROM catalog.pub_filing WHERE filing_date > @day::date - 31
