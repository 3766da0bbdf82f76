-- The related persons under common control that each affected adviser's newest whole form names by CRD number
-- (Schedule D 7.A), as the grouping wants them. A form of an archive without that table says nothing of them.
CREATE TEMP TABLE n_link ON COMMIT DROP AS
SELECT DISTINCT a.crd, a.affiliate_crd
FROM (SELECT DISTINCT ON (crd) crd, accession FROM n_version
      WHERE source = 'adv_archive' AND NOT coalesce('table:affiliates' = ANY (silent), false) ORDER BY crd, n) form
JOIN catalog.affiliates a USING (accession)
WHERE a.affiliate_crd <> a.crd AND (a.controls OR a.common_control);
ANALYZE n_link;
