SELECT accession, fund_id, {{columns}} FROM catalog.fund_versions
WHERE accession = ANY (@accessions) AND (@funds::text[] IS NULL OR fund_id = ANY (@funds))
