SELECT o.filing_date FROM catalog.offerings o
WHERE o.accession = @accession
	AND EXISTS (SELECT 1 FROM catalog.offering_funds l JOIN catalog.funds f USING (fund_id) WHERE l.accession = o.accession AND f.adviser_crd = @crd)
