-- The notices of the chains that any fund is joined to, or may be by its name, at whatever moment.
SELECT f.accession, coalesce(f.file_number, ''), coalesce(f.previous_accession, ''), f.filing_date, f.first_sale
FROM {{offerings}} WHERE f.filing_date <= @day AND f.chain IN (
	SELECT o.chain FROM catalog.offerings o JOIN catalog.offering_funds USING (accession)
	UNION
	SELECT o.chain FROM catalog.offerings o JOIN (
		SELECT jsonb_array_elements_text(r.said -> 'form_d_file_numbers') AS file_number FROM catalog.replaced_versions r
		WHERE jsonb_typeof(r.said -> 'form_d_file_numbers') = 'array'
	) r USING (file_number)
	UNION
	SELECT o.chain FROM catalog.offering_issuers i JOIN catalog.offerings o USING (accession)
	WHERE i.name_key IN {{names}}{{restated chains}}
)
