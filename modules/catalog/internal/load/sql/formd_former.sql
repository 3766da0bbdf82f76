-- The keys of names that funds bore in earlier filings, or in editions of filings that were replaced: as_of and known_at ask
-- which funds had a name then. The process computes the keys (formerNames).
DELETE FROM catalog.fund_former_names f USING t_fund t
WHERE f.fund_id = t.fund_id AND NOT EXISTS (SELECT 1 FROM d_former d WHERE d.fund_id = f.fund_id AND d.name_key = f.name_key);
INSERT INTO catalog.fund_former_names (name_key, fund_id)
SELECT DISTINCT name_key, fund_id FROM d_former WHERE name_key IS NOT NULL ORDER BY 1, 2
ON CONFLICT DO NOTHING;
