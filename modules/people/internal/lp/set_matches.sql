-- What the rules found; it is what is shown as well, unless the operator has said something.
UPDATE people.lp_investments i
SET found_method = nullif(m.method, ''), found_crd = nullif(m.crd, ''), found_fund_id = nullif(m.fund, ''), found_confidence = nullif(m.confidence, 0),
	match_method = CASE WHEN i.match_method = @operator THEN i.match_method ELSE nullif(m.method, '') END,
	match_crd = CASE WHEN i.match_method = @operator THEN i.match_crd ELSE nullif(m.crd, '') END,
	match_fund_id = CASE WHEN i.match_method = @operator THEN i.match_fund_id ELSE nullif(m.fund, '') END,
	match_confidence = CASE WHEN i.match_method = @operator THEN i.match_confidence ELSE nullif(m.confidence, 0) END
FROM unnest(@ids::bigint[], @methods::text[], @crds::text[], @funds::text[], @confidences::double precision[]) AS m (id, method, crd, fund, confidence)
WHERE i.id = m.id AND (i.found_method, i.found_crd, i.found_fund_id, i.found_confidence)
	IS DISTINCT FROM (nullif(m.method, ''), nullif(m.crd, ''), nullif(m.fund, ''), nullif(m.confidence, 0))
