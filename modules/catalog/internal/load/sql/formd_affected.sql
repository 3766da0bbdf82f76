-- The funds that the touched chains are joined to, or may be joined to now, must be derived again. So must each fund's adviser,
-- and all funds of that adviser.
CREATE TEMP TABLE o_also ON COMMIT DROP AS
SELECT DISTINCT f.adviser_crd AS crd
FROM (
    SELECT l.fund_id FROM o_touched JOIN catalog.offerings USING (chain) JOIN catalog.offering_funds l USING (accession)
    UNION SELECT n.fund_id FROM o_touched JOIN catalog.offerings o USING (chain) JOIN catalog.fund_form_d_numbers n USING (file_number)
    UNION SELECT f.fund_id FROM o_touched JOIN catalog.offerings USING (chain) JOIN catalog.offering_issuers i USING (accession)
          JOIN catalog.funds f USING (name_key)
) x
JOIN catalog.funds f USING (fund_id)
WHERE NOT EXISTS (SELECT 1 FROM t_fund t WHERE t.fund_id = x.fund_id);
INSERT INTO t_crd SELECT crd FROM o_also EXCEPT SELECT crd FROM t_crd;
INSERT INTO t_fund SELECT f.fund_id FROM o_also o JOIN catalog.funds f ON f.adviser_crd = o.crd EXCEPT SELECT fund_id FROM t_fund;
ANALYZE t_crd;
ANALYZE t_fund;
