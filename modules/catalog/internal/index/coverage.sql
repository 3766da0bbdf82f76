SELECT extract(year FROM filing_date)::int, extract(month FROM filing_date)::int, source, sum(n)::bigint, max(filing_date)
FROM (
	SELECT filing_date, source, count(*) AS n FROM catalog.filings GROUP BY 1, 2
	UNION ALL
	SELECT filing_date, 'form_d', count(*) FROM catalog.offerings GROUP BY 1
) f -- by day first: few days stand for all filings, and a month of a date is dear
GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
