SELECT accession, fund_id, {{columns}} FROM catalog.filings f JOIN catalog.fund_versions v USING (accession)
WHERE f.crd = @crd AND f.filing_date <= @day
