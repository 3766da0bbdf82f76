-- The value that a correction corrects, in the form of the correction, and its adviser. An organization is named by a CRD number, which is a text.
SELECT crd, CASE @field WHEN 'canonical_gp_id' THEN to_jsonb(canonical_gp_id::text) ELSE to_jsonb(a) -> @field END AS value FROM catalog.advisers a WHERE @fund::text = '' AND crd = @crd
UNION ALL
SELECT adviser_crd, to_jsonb(f) -> @field FROM catalog.funds f WHERE fund_id = @fund
