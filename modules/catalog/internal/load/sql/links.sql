-- The related persons under common control that each affected adviser's newest whole form names by CRD number
-- (Schedule D 7.A), as the grouping wants them. A form of an archive without that table says nothing of them.
CREATE TEMP TABLE n_link ON COMMIT DROP AS
SELECT DISTINCT a.crd, a.affiliate_crd
FROM n_form JOIN catalog.ties a USING (accession)
WHERE a.affiliate_crd <> a.crd;
ANALYZE n_link;
DELETE FROM catalog.adviser_links l USING t_crd t
WHERE l.crd = t.crd AND NOT EXISTS (SELECT 1 FROM n_link n WHERE n.crd = l.crd AND n.affiliate_crd = l.affiliate_crd);
INSERT INTO catalog.adviser_links (crd, affiliate_crd)
SELECT crd, affiliate_crd FROM n_link n
WHERE NOT EXISTS (SELECT 1 FROM catalog.adviser_links l WHERE l.crd = n.crd AND l.affiliate_crd = n.affiliate_crd);
