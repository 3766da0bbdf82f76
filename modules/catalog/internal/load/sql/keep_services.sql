DELETE FROM catalog.fund_services k USING t_fund t
WHERE k.fund_id = t.fund_id AND NOT EXISTS (SELECT FROM d_service d WHERE d.fund_id = k.fund_id);
DELETE FROM catalog.provider_changes c USING t_crd t WHERE c.crd = t.crd;
INSERT INTO catalog.provider_changes SELECT * FROM d_provider_change;
