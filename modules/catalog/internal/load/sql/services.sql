-- The funds in these filings, filing by filing, each with the firms that serve it. Bit 5 of stated: the filing has a
-- table of auditors, but leaves open whether the fund has one. current: the
-- fund is open and this adviser's.
SELECT f.crd, f.accession, f.filing_date, f.stated + CASE WHEN cardinality(v.auditors) > 0 THEN 1
		WHEN 'auditors' = ANY (v.silent) THEN 0 WHEN NOT v.annual_audit THEN 1 ELSE 32 END AS stated,
	v.fund_id, coalesce(s.services, '{}') AS services, c.fund_id IS NOT NULL AS current
FROM p_filing f JOIN catalog.fund_versions v ON v.accession = f.accession AND v.crd = f.crd
LEFT JOIN p_service s ON s.accession = v.accession AND s.fund_id = v.fund_id
LEFT JOIN catalog.funds c ON c.fund_id = v.fund_id AND c.adviser_crd = v.crd AND c.status <> 'closed'
ORDER BY f.crd, f.place, v.fund_id
