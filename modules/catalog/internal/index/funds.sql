SELECT {{columns}},
	EXISTS (SELECT FROM catalog.advisers a WHERE a.crd = f.adviser_crd AND (a.withdrawn_on IS NOT NULL OR a.not_listed_since IS NOT NULL))
FROM catalog.funds f
