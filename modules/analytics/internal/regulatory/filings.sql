SELECT accession, filing_date AS date, silent FROM catalog.pub_filing
WHERE crd = @crd AND source = 'adv_archive' AND status = 'completed'
ORDER BY filing_date, submitted_at, length(accession), accession COLLATE "C"
