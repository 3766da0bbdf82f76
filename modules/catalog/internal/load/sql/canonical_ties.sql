-- Advisers of which one names the other as its affiliate.
SELECT a.crd::bigint, b.crd::bigint
FROM n_member a JOIN catalog.adviser_links l ON l.crd = a.crd JOIN n_member b ON b.crd = l.affiliate_crd
