-- Whose current rows can be other than before: the advisers of the filings that changed something; the advisers that
-- their funds belonged or may now belong to; and all funds of these advisers, for a new list closes what it omits.
ANALYZE b_fund;
CREATE TEMP TABLE t_fund ON COMMIT DROP AS
SELECT fund_id FROM b_fund UNION SELECT fund_id FROM b_gone;
ANALYZE t_fund;
CREATE TEMP TABLE t_crd ON COMMIT DROP AS
SELECT crd FROM b_adviser
UNION SELECT crd FROM b_listed
UNION SELECT f.adviser_crd FROM catalog.funds f JOIN t_fund USING (fund_id)
UNION SELECT v.crd FROM catalog.fund_versions v JOIN t_fund USING (fund_id);
ANALYZE t_crd;
INSERT INTO t_fund SELECT f.fund_id FROM catalog.funds f JOIN t_crd t ON t.crd = f.adviser_crd EXCEPT SELECT fund_id FROM t_fund;
ANALYZE t_fund;
