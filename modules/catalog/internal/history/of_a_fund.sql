(o.fund_type IS NOT NULL OR lower(o.industry_group) IN ('pooled investment fund', 'investing', 'reits and finance')
	OR 'pooled investment fund' = ANY (o.securities)
	OR EXISTS (SELECT 1 FROM unnest(o.exemptions) AS e (code) WHERE upper(e.code) LIKE '3C%'))
