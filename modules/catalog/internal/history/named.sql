SELECT fund_id FROM catalog.funds WHERE name_key = ANY (@keys)
UNION
SELECT fund_id FROM catalog.fund_former_names WHERE name_key = ANY (@keys)
