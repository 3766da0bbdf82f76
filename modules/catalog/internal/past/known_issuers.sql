(
	SELECT i.accession, i.name_key, i.name_form, i.city, i.state
	FROM catalog.offering_issuers i JOIN catalog.offerings o USING (accession) WHERE o.processed_at <= @known
	UNION ALL
	SELECT r.accession, i.name_key, i.name_form, i.city, i.state
	FROM catalog.replaced_offerings r, jsonb_populate_recordset(null::catalog.offering_issuers, r.issuers) i
	WHERE r.processed_at <= @known AND r.replaced_at > @known
) i
