-- Pairs of advisers: one names the other as its affiliate, or an operator has merged their organizations.
SELECT a.crd::bigint, b.crd::bigint, false AS corrected
FROM n_member a JOIN catalog.adviser_links l ON l.crd = a.crd JOIN n_member b ON b.crd = l.affiliate_crd
UNION ALL
SELECT a.crd::bigint, b.crd::bigint, true
FROM n_member a JOIN catalog.overrides o ON o.crd = a.crd AND o.field = 'canonical_gp_id' AND o.removed_at IS NULL JOIN n_member b ON b.crd = o.value
