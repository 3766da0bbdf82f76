-- The newest notices of offerings of all managers, each with one fund that the filters let through: an open one where there is one.
SELECT {{columns}}, f.fund_id, f.adviser_crd AS crd, f.matched_by, {{key}} AS key,
	coalesce((
		SELECT n.file_number FROM catalog.offerings n WHERE n.chain = o.chain AND n.file_number IS NOT NULL
		ORDER BY n.filing_date DESC, n.accession DESC LIMIT 1
	), o.chain) AS offering
FROM catalog.offerings o
CROSS JOIN LATERAL (
	SELECT l.fund_id, l.matched_by, f.adviser_crd, f.status
	FROM catalog.offering_funds l JOIN catalog.funds f USING (fund_id){{joined}}
	WHERE l.accession = o.accession{{funds}}
	ORDER BY f.status = 'closed', f.fund_id LIMIT 1
) f
WHERE NOT EXISTS (SELECT FROM catalog.offerings n WHERE n.chain = o.chain AND (n.filing_date, n.accession) > (o.filing_date, o.accession)){{where}}
ORDER BY {{order}} DESC, o.accession DESC LIMIT @limit
