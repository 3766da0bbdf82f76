-- The names that affected funds bear no more, of replaced editions too.
SELECT DISTINCT v.fund_id, v.name
FROM n_pick p JOIN catalog.fund_versions v USING (fund_id) WHERE p.renamed AND v.name <> p.name
UNION
SELECT r.fund_id, r.said ->> 'name'
FROM t_fund JOIN catalog.replaced_versions r USING (fund_id) LEFT JOIN n_pick p USING (fund_id)
WHERE r.fund_id <> '' AND r.said IS NOT NULL AND r.said ->> 'name' IS DISTINCT FROM p.name
