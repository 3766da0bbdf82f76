-- The funds in these filings, filing by filing, each with the firms that serve it; one row without a fund for a filing that has none, which is the newest
-- of its tables all the same. current: the fund is open and this adviser's.
SELECT f.crd, f.accession, f.filing_date, f.silent,
	v.auditors, v.annual_audit, coalesce('auditors' = ANY (v.silent), false) AS no_auditor_table,
	coalesce(v.fund_id, '') AS fund_id, coalesce(s.services, '{}') AS services, c.fund_id IS NOT NULL AS current
FROM p_filing f LEFT JOIN catalog.fund_versions v ON v.accession = f.accession AND v.crd = f.crd
LEFT JOIN p_service s ON s.accession = v.accession AND s.fund_id = v.fund_id
LEFT JOIN catalog.funds c ON c.fund_id = v.fund_id AND c.adviser_crd = v.crd AND c.status <> 'closed'
ORDER BY f.crd, f.place, v.fund_id
