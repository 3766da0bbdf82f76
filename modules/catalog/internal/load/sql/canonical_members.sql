-- The advisers to be grouped. alone: by an operator's override the filings tie it to no other adviser.
SELECT n.crd, n.crd::bigint, n.canonical_gp_id, coalesce(n.website_domain, ''), n.name_stem, o.id IS NOT NULL AS alone
FROM n_member n
LEFT JOIN catalog.overrides o ON o.crd = n.crd AND o.field = 'canonical_gp_id' AND o.value IS NULL AND o.removed_at IS NULL
ORDER BY n.crd::bigint
