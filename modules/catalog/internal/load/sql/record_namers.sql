-- Who else ever named a fund that an affected adviser ever named.
WITH named AS (
    SELECT fund_id, v.crd FROM n_shared JOIN catalog.fund_versions v USING (fund_id)
    UNION SELECT fund_id, v.crd FROM n_shared JOIN catalog.replaced_versions v USING (fund_id) WHERE fund_id <> ''
)
SELECT n.crd, array_agg(DISTINCT o.crd ORDER BY o.crd) AS others
FROM t_crd JOIN named n USING (crd) JOIN named o ON o.fund_id = n.fund_id AND o.crd <> n.crd
GROUP BY n.crd
