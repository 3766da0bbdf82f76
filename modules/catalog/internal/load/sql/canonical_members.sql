-- The advisers that are to be grouped.
SELECT crd, crd::bigint, canonical_gp_id, coalesce(website_domain, ''), name_stem
FROM n_member ORDER BY crd::bigint
