-- The managers whose newest list of affiliates names @crd at the moment.
SELECT n.crd, t.types, t.controls, t.common_control, e.accession, e.form_type, e.filing_date
FROM (
	SELECT crd FROM catalog.affiliates WHERE affiliate_crd = @crd
	UNION
	SELECT v.crd FROM catalog.replaced_children k JOIN catalog.replaced_versions v ON v.accession = k.accession AND v.fund_id = '' AND v.replaced_at = k.replaced_at
	WHERE @known::timestamptz < 'infinity' AND k.list = 'affiliates' AND jsonb_path_query_array(k.rows, '$[*].affiliate_crd') ? @crd
) n
JOIN LATERAL ({{edition n.crd}}) e ON true
JOIN LATERAL (
	SELECT seq, types, controls, common_control FROM catalog.affiliates
	WHERE e.replaced_at IS NULL AND accession = e.accession AND affiliate_crd = @crd
	UNION ALL
	SELECT ordinality, ARRAY(SELECT jsonb_array_elements_text(CASE jsonb_typeof(r -> 'types') WHEN 'array' THEN r -> 'types' ELSE '[]' END)),
		(r ->> 'controls')::boolean, (r ->> 'common_control')::boolean
	FROM catalog.replaced_children k, jsonb_array_elements(k.rows) WITH ORDINALITY AS e1 (r, ordinality)
	WHERE k.accession = e.accession AND k.list = 'affiliates' AND k.replaced_at = e.replaced_at AND r ->> 'affiliate_crd' = @crd
) t ON true
WHERE n.crd <> @crd
ORDER BY n.crd, t.seq
