-- Whose current rows can be other than before: the advisers of the filings that changed something; the advisers that
-- their funds belonged or may now belong to; and all funds of these advisers, for a new list closes what it omits.
CREATE TEMP TABLE t_crd (crd text PRIMARY KEY) ON COMMIT DROP;
INSERT INTO t_crd SELECT DISTINCT crd FROM m_filing WHERE state <> 'same';
ANALYZE t_fund;
INSERT INTO t_crd SELECT DISTINCT f.adviser_crd FROM catalog.funds f JOIN t_fund USING (fund_id) ON CONFLICT DO NOTHING;
INSERT INTO t_crd SELECT DISTINCT v.crd FROM catalog.fund_versions v JOIN t_fund USING (fund_id) ON CONFLICT DO NOTHING;
ANALYZE t_crd;
INSERT INTO t_fund SELECT f.fund_id FROM catalog.funds f JOIN t_crd t ON t.crd = f.adviser_crd ON CONFLICT DO NOTHING;
ANALYZE t_fund;
