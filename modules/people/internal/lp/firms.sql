SELECT crd, canonical_gp_id, legal_name, coalesce(business_name, ''), coalesce(fund_count, 0) > 0
FROM catalog.pub_gp
