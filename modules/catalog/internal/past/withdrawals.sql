SELECT w.crd::bigint, max(w.filing_date) FROM (
	SELECT f.crd, f.filing_date FROM catalog.withdrawals w JOIN catalog.filings f USING (accession)
	WHERE w.is_full AND f.filing_date <= @day{{processed}}{{restated withdrawals}}
) w GROUP BY w.crd
