SELECT r.accession, r.fund_id, r.said IS NULL AS unsaid, coalesce(v.name, '') AS {{columns}}
FROM (SELECT DISTINCT ON (accession, fund_id) * FROM catalog.replaced_versions
		WHERE {{of}} AND fund_id <> '' AND replaced_at > @known
		ORDER BY accession, fund_id, replaced_at
	) r, jsonb_populate_record(null::catalog.fund_versions, r.said) v
