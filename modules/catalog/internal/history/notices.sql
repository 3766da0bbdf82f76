-- Reads the chains of the notices with some file numbers or named issuers. The chains as they stand are never smaller than
-- those of an earlier day: what counts of them is chained anew.
SELECT o.accession, o.form_type, o.file_number, o.previous_accession, o.filing_date, o.exemptions, o.first_sale, {{sold out}} AS sold_out, false AS restated
FROM catalog.offerings o
WHERE o.filing_date <= @day AND o.chain IN (
	SELECT n.chain FROM catalog.offerings n WHERE n.file_number = ANY (@numbers) AND n.filing_date <= @day
	UNION
	SELECT n.chain FROM catalog.offering_issuers i JOIN catalog.offerings n USING (accession)
	WHERE i.name_key = ANY (@keys) AND n.filing_date <= @day)
