(
	SELECT v.* FROM catalog.adviser_versions v
	WHERE NOT EXISTS (SELECT 1 FROM catalog.replaced_versions r
		WHERE r.accession = v.accession AND r.fund_id = '' AND r.replaced_at > @known)
	UNION ALL
	SELECT v.* FROM catalog.replaced_versions r, jsonb_populate_record(null::catalog.adviser_versions, r.said) v
	WHERE r.fund_id = '' AND r.processed_at <= @known AND r.replaced_at > @known
)
