CREATE TEMP TABLE t_crd (crd text PRIMARY KEY) ON COMMIT DROP;
INSERT INTO t_crd SELECT DISTINCT crd FROM catalog.filings;
CREATE TEMP TABLE t_fund (fund_id text PRIMARY KEY) ON COMMIT DROP;
INSERT INTO t_fund SELECT fund_id FROM catalog.fund_versions UNION SELECT fund_id FROM catalog.funds;
ANALYZE t_crd;
ANALYZE t_fund;
