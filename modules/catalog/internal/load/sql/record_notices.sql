-- The notices of Form D that are joined to the affected funds.
SELECT l.fund_id, o.accession, o.form_type, o.chain, o.filing_date, o.exemptions, o.first_sale, o.offering_amount, o.amount_remaining
FROM t_fund JOIN catalog.offering_funds l USING (fund_id) JOIN catalog.offerings o USING (accession)
