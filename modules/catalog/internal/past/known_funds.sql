(
	SELECT v.* FROM catalog.fund_versions v
	WHERE NOT EXISTS (SELECT 1 FROM catalog.replaced_versions r
		WHERE r.accession = v.accession AND r.fund_id = v.fund_id AND r.replaced_at > @known)
	UNION ALL
	SELECT v.* FROM (
		SELECT DISTINCT ON (r.accession, r.fund_id) r.said FROM catalog.replaced_versions r
		WHERE r.fund_id <> '' AND r.replaced_at > @known ORDER BY r.accession, r.fund_id, r.replaced_at
	) r, jsonb_populate_record(null::catalog.fund_versions, r.said) v WHERE r.said IS NOT NULL
)
