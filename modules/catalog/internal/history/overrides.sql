-- Corrections that were known: of advisers and funds, or all.
SELECT id, coalesce(crd, '') AS crd, coalesce(fund_id, '') AS fund_id, field, value, valid_from FROM catalog.overrides
WHERE (@crds::text[] IS NULL OR crd = ANY (@crds) OR fund_id = ANY (@funds))
	AND processed_at <= @known AND (removed_at IS NULL OR removed_at > @known)
