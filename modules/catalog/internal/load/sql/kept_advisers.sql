SELECT crd FROM t_crd
UNION
SELECT v.crd FROM (SELECT DISTINCT n.fund_id FROM t_crd JOIN catalog.fund_versions n USING (crd)) f JOIN catalog.fund_versions v USING (fund_id)
ORDER BY crd
