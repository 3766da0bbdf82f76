
UNION
SELECT o.chain FROM catalog.replaced_offerings r JOIN catalog.offerings o USING (accession)
UNION
