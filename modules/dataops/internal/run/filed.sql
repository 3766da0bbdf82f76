SELECT crd, filing_id, submitted, rows FROM dataops.filed_rows WHERE kind = @kind AND crd = ANY (@crds)
