SELECT l.fund_id, o.accession, o.form_type, o.file_number, o.previous_accession, o.filing_date, o.exemptions, o.first_sale, false AS restated
FROM catalog.offering_funds l JOIN catalog.offerings o USING (accession) WHERE l.fund_id = ANY (@funds)
