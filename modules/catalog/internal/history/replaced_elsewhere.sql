SELECT accession, crd FROM catalog.replaced_versions WHERE fund_id = ANY (@funds) AND fund_id <> '' AND crd <> @than
