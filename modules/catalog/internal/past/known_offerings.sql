(
	SELECT o.accession, o.file_number, o.previous_accession, o.filing_date, o.first_sale, o.fund_type, o.industry_group, o.securities,
		o.exemptions, o.chain
	FROM catalog.offerings o WHERE o.processed_at <= @known
	UNION ALL
	SELECT o.accession, o.file_number, o.previous_accession, o.filing_date, o.first_sale, o.fund_type, o.industry_group, o.securities,
		o.exemptions, n.chain
	FROM catalog.replaced_offerings r JOIN catalog.offerings n USING (accession),
		jsonb_populate_record(null::catalog.offerings, r.said) o
	WHERE r.processed_at <= @known AND r.replaced_at > @known
) f
