UPDATE people.lp_investments i
SET match_method = nullif(m.method, ''), match_crd = nullif(m.crd, ''), match_fund_id = nullif(m.fund, ''), match_confidence = nullif(m.confidence, 0)
FROM unnest(@ids::bigint[], @methods::text[], @crds::text[], @funds::text[], @confidences::double precision[]) AS m (id, method, crd, fund, confidence)
WHERE i.id = m.id AND i.match_method IS DISTINCT FROM @operator
	AND (i.match_method, i.match_crd, i.match_fund_id, i.match_confidence)
		IS DISTINCT FROM (nullif(m.method, ''), nullif(m.crd, ''), nullif(m.fund, ''), nullif(m.confidence, 0))
