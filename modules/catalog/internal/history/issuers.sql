SELECT i.accession, i.name_key, i.name_form, i.city, i.state, false AS restated
FROM catalog.offering_issuers i JOIN catalog.offerings o USING (accession)
WHERE i.name_key = ANY (@keys) AND {{of a fund}}
UNION ALL
SELECT r.accession, i.name_key, i.name_form, i.city, i.state, true
FROM catalog.replaced_offerings r, jsonb_populate_record(null::catalog.offerings, r.said) o,
	jsonb_populate_recordset(null::catalog.offering_issuers, r.issuers) i
WHERE r.name_keys && @keys AND r.processed_at <= @known AND r.replaced_at > @known AND i.name_key = ANY (@keys) AND {{of a fund}}
