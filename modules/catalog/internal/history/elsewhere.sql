SELECT accession, crd, fund_id, {{columns}} FROM catalog.fund_versions WHERE fund_id = ANY (@funds) AND crd <> @than
