SELECT name_key, fund_id FROM catalog.funds WHERE name_key = ANY (@keys)
UNION ALL
SELECT name_key, fund_id FROM catalog.fund_former_names WHERE name_key = ANY (@keys)
