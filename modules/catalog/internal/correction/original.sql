-- The value that a correction corrects, and its adviser.
SELECT crd, to_jsonb(a) -> @field AS value FROM catalog.advisers a WHERE @fund::text = '' AND crd = @crd
UNION ALL
SELECT adviser_crd, to_jsonb(f) -> @field FROM catalog.funds f WHERE fund_id = @fund
