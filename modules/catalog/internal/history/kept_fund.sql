SELECT {{columns}}, a.legal_name AS adviser_name, h.fund_sources AS sources
FROM catalog.funds f JOIN catalog.advisers a ON a.crd = f.adviser_crd
LEFT JOIN catalog.adviser_histories h ON h.crd = a.crd AND h.encoding = @encoding
WHERE {{key}}
