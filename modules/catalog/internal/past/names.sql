(SELECT name_key FROM catalog.funds WHERE name_key IS NOT NULL UNION SELECT name_key FROM catalog.fund_former_names)
