-- The newest filing of @crd that states each role, at a moment, with its rows about the fund @fund, or about all funds if @fund is empty.
-- named: the filing names the fund. The rows are null where the edition's were not kept.
SELECT r.role, e.accession, e.form_type, e.filing_date,
	@fund = '' OR EXISTS (SELECT FROM catalog.fund_versions v WHERE v.fund_id = @fund AND v.accession = e.accession) AS named,
	CASE WHEN e.replaced_at IS NULL THEN (
		SELECT coalesce(jsonb_agg(jsonb_build_object('fund_id', t.fund_id, 'role', t.role, 'name', t.name, 'crd', t.crd, 'lei', t.lei, 'related', t.related) ORDER BY t.seq), '[]')
		FROM catalog.fund_providers t WHERE t.accession = e.accession AND t.role = r.role AND (@fund = '' OR t.fund_id = @fund))
	ELSE (SELECT k.rows FROM catalog.replaced_children k WHERE k.accession = e.accession AND k.list = 'fund_providers' AND k.replaced_at = e.replaced_at)
	END AS rows
FROM unnest(@roles::text[]) WITH ORDINALITY r (role, nth) JOIN LATERAL ({{edition @crd}}) e ON true
ORDER BY e.version_order DESC, r.nth
