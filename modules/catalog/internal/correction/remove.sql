WITH ended AS (
	UPDATE catalog.overrides SET removed_at = catalog.current_processing() WHERE id = @id AND removed_at IS NULL RETURNING crd, fund_id, field, value
)
SELECT crd FROM ended WHERE crd IS NOT NULL
UNION SELECT value FROM ended WHERE field = 'canonical_gp_id' AND value IS NOT NULL
UNION SELECT f.adviser_crd FROM ended JOIN catalog.funds f USING (fund_id)
