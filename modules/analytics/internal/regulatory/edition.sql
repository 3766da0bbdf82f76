SELECT count(*) AS filings, max(processed_at) AS processed_at,
	coalesce((array_agg(accession ORDER BY filing_date DESC, submitted_at DESC, length(accession) DESC,
		accession COLLATE "C" DESC))[1], '') AS newest
FROM catalog.pub_filing WHERE crd = @crd
