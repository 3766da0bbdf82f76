SELECT extract(year FROM filing_date)::int, extract(month FROM filing_date)::int, source, count(*), max(filing_date)
FROM (SELECT filing_date, source FROM catalog.filings UNION ALL SELECT filing_date, 'form_d' FROM catalog.offerings) f
GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
