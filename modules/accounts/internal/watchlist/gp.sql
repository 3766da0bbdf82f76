SELECT canonical_gp_id, legal_name, nullif(city, '') AS city, nullif(state, '') AS state
FROM catalog.pub_gp
WHERE crd = @crd
