SELECT {{columns}}, h.sources
FROM catalog.advisers a LEFT JOIN catalog.adviser_histories h ON h.crd = a.crd AND h.encoding = @encoding
WHERE a.crd = @crd
