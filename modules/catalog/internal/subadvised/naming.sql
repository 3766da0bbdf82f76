-- The funds of @crd that the newest lists of other managers name as sub-advised at the moment.
SELECT t.fund_id, t.name, t.adviser_sec_number, n.crd AS sub_adviser_crd, a.legal_name AS sub_adviser, e.accession, e.form_type, e.filing_date
FROM (
	SELECT s.crd FROM catalog.funds f JOIN catalog.sub_advised_funds s USING (fund_id) WHERE f.adviser_crd = @crd
	UNION
	SELECT v.crd FROM catalog.funds f
	JOIN catalog.replaced_children k ON k.list = 'sub_advised_funds' AND jsonb_path_query_array(k.rows, '$[*].fund_id') ? f.fund_id
	JOIN catalog.replaced_versions v ON v.accession = k.accession AND v.fund_id = '' AND v.replaced_at = k.replaced_at
	WHERE @known::timestamptz < 'infinity' AND f.adviser_crd = @crd
) n
JOIN catalog.advisers a USING (crd)
JOIN LATERAL ({{edition n.crd}}) e ON true
JOIN LATERAL (
	SELECT seq, fund_id, name, adviser_sec_number FROM catalog.sub_advised_funds WHERE e.replaced_at IS NULL AND accession = e.accession
	UNION ALL
	SELECT ordinality, r ->> 'fund_id', r ->> 'name', r ->> 'adviser_sec_number'
	FROM catalog.replaced_children k, jsonb_array_elements(k.rows) WITH ORDINALITY AS e1 (r, ordinality)
	WHERE k.accession = e.accession AND k.list = 'sub_advised_funds' AND k.replaced_at = e.replaced_at
) t ON true
JOIN catalog.funds f ON f.fund_id = t.fund_id AND f.adviser_crd = @crd
WHERE n.crd <> @crd
ORDER BY t.fund_id, n.crd, t.seq
