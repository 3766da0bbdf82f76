-- The names that affected funds bore in editions of filings that were replaced, and bear no more.
SELECT r.fund_id, r.said ->> 'name' AS name
FROM t_fund JOIN catalog.replaced_versions r USING (fund_id) LEFT JOIN n_fund p USING (fund_id)
WHERE r.fund_id <> '' AND r.said IS NOT NULL AND r.said ->> 'name' IS DISTINCT FROM p.name
