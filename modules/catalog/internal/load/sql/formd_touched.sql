-- The chains whose joins a change of the affected funds can change: those joined to them, those of their file numbers, and
-- those of their names, the names that they had and the ones that they may have now (t_key).
INSERT INTO o_touched
SELECT o.chain FROM t_fund JOIN catalog.offering_funds USING (fund_id) JOIN catalog.offerings o USING (accession)
UNION SELECT o.chain FROM t_fund JOIN catalog.fund_form_d_numbers USING (fund_id) JOIN catalog.offerings o USING (file_number)
UNION SELECT o.chain FROM t_fund JOIN catalog.funds f USING (fund_id)
      JOIN catalog.offering_issuers i USING (name_key) JOIN catalog.offerings o USING (accession)
UNION SELECT o.chain FROM t_key JOIN catalog.offering_issuers i USING (name_key) JOIN catalog.offerings o USING (accession);
ANALYZE o_touched;
