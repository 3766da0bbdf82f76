-- The funds that @crd ever named and that the newest lists of other managers name as sub-advised at the moment.
WITH named AS (
	SELECT v.fund_id FROM catalog.filings f JOIN catalog.fund_versions v USING (accession) WHERE f.crd = @crd
	UNION
	SELECT fund_id FROM catalog.replaced_versions WHERE @known::timestamptz < 'infinity' AND crd = @crd AND fund_id <> ''
)
SELECT t.fund_id, t.name, t.adviser_sec_number, n.crd AS sub_adviser_crd, e.accession, e.form_type, e.filing_date
FROM (
	SELECT s.crd FROM named JOIN catalog.sub_advised_funds s USING (fund_id)
	UNION
	SELECT v.crd FROM named
	JOIN catalog.replaced_children k ON k.list = 'sub_advised_funds' AND jsonb_path_query_array(k.rows, '$[*].fund_id') ? named.fund_id
	JOIN catalog.replaced_versions v ON v.accession = k.accession AND v.fund_id = '' AND v.replaced_at = k.replaced_at
	WHERE @known::timestamptz < 'infinity'
) n
JOIN LATERAL ({{edition n.crd}}) e ON true
JOIN LATERAL (
	SELECT seq, fund_id, name, adviser_sec_number FROM catalog.sub_advised_funds WHERE e.replaced_at IS NULL AND accession = e.accession
	UNION ALL
	SELECT ordinality, r ->> 'fund_id', r ->> 'name', r ->> 'adviser_sec_number'
	FROM catalog.replaced_children k, jsonb_array_elements(k.rows) WITH ORDINALITY AS e1 (r, ordinality)
	WHERE k.accession = e.accession AND k.list = 'sub_advised_funds' AND k.replaced_at = e.replaced_at
) t ON true
JOIN named USING (fund_id)
WHERE n.crd <> @crd
ORDER BY t.fund_id, n.crd, t.seq
