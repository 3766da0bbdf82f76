-- Corrections that were known: of advisers, with those that merge others with them, and of funds, or all.
SELECT id, coalesce(crd, '') AS crd, coalesce(fund_id, '') AS fund_id, field, value, valid_from FROM catalog.overrides
WHERE (@crds::text[] IS NULL OR crd = ANY (@crds) OR fund_id = ANY (@funds) OR field = 'canonical_gp_id' AND value = ANY (@crds))
	AND processed_at <= @known AND (removed_at IS NULL OR removed_at > @known)
