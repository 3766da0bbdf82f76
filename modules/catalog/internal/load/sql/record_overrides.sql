SELECT id, coalesce(crd, '') AS crd, coalesce(fund_id, '') AS fund_id, field, value, valid_from FROM catalog.overrides WHERE removed_at IS NULL
