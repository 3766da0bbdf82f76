-- notices.sql with the notices as they stood at an instant.
WITH chains AS MATERIALIZED (
	SELECT n.chain FROM catalog.offerings n WHERE n.file_number = ANY (@numbers)
	UNION SELECT n.chain FROM catalog.offering_issuers i JOIN catalog.offerings n USING (accession) WHERE i.name_key = ANY (@keys)
	UNION SELECT n.chain FROM catalog.replaced_offerings r JOIN catalog.offerings n USING (accession) WHERE r.file_number = ANY (@numbers)
	UNION SELECT n.chain FROM catalog.replaced_offerings r JOIN catalog.offerings n USING (accession) WHERE r.name_keys && @keys
	UNION {{relinked}}
)
SELECT o.accession, o.form_type, o.file_number, o.previous_accession, o.filing_date, o.exemptions, o.first_sale, {{sold out}} AS sold_out, false AS restated
FROM catalog.offerings o
WHERE o.filing_date <= @day AND o.processed_at <= @known AND o.chain IN (SELECT chain FROM chains)
UNION ALL
SELECT o.accession, o.form_type, o.file_number, o.previous_accession, o.filing_date, o.exemptions, o.first_sale, {{sold out}} AS sold_out, true
FROM catalog.offerings n JOIN catalog.replaced_offerings r USING (accession), jsonb_populate_record(null::catalog.offerings, r.said) o
WHERE o.filing_date <= @day AND r.processed_at <= @known AND r.replaced_at > @known AND n.chain IN (SELECT chain FROM chains)
