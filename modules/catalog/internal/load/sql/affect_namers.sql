-- Who ever named a fund that an affected adviser named, and their funds.
CREATE TEMP TABLE t_namer ON COMMIT DROP AS
SELECT v.crd FROM (SELECT DISTINCT n.fund_id FROM t_crd JOIN catalog.filings f USING (crd) JOIN catalog.fund_versions n USING (accession)) f
JOIN catalog.fund_versions v USING (fund_id)
EXCEPT SELECT crd FROM t_crd;
INSERT INTO t_crd SELECT crd FROM t_namer;
INSERT INTO t_fund SELECT f.fund_id FROM t_namer n JOIN catalog.funds f ON f.adviser_crd = n.crd EXCEPT SELECT fund_id FROM t_fund;
ANALYZE t_crd;
ANALYZE t_fund;
