SELECT accession, affiliate_crd AS crd FROM catalog.ties WHERE accession = ANY (@standing)
UNION ALL
SELECT r.accession, l.crd FROM catalog.replaced_versions r, LATERAL (
	SELECT jsonb_array_elements_text(r.said -> 'affiliates') AS crd WHERE r.said ? 'affiliates'
	UNION ALL SELECT a.affiliate_crd FROM catalog.ties a WHERE NOT r.said ? 'affiliates' AND a.accession = r.accession
) l
WHERE r.accession = ANY (@restated) AND r.fund_id = '' AND r.processed_at <= @known AND r.replaced_at > @known
