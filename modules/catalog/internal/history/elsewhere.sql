SELECT accession, crd FROM catalog.fund_versions WHERE fund_id = ANY (@funds) AND crd <> @than
UNION
SELECT accession, crd FROM catalog.replaced_versions WHERE fund_id = ANY (@funds) AND fund_id <> '' AND crd <> @than
