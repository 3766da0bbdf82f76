-- The notices of the funds of manager @crd, or of its fund @fund alone, each with one fund: @fund, else an open one where there is one.
SELECT {{columns}}, f.fund_id, f.adviser_crd AS crd, f.matched_by
FROM (
	SELECT DISTINCT ON (l.accession) l.accession, l.fund_id, l.matched_by, f.adviser_crd, f.status
	FROM catalog.funds f JOIN catalog.offering_funds l USING (fund_id)
	WHERE f.adviser_crd = @crd AND (@fund::text = '' OR f.fund_id = @fund)
	ORDER BY l.accession, f.status = 'closed', f.fund_id
) f JOIN catalog.offerings o USING (accession)
