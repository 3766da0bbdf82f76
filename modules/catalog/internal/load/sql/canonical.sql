-- The advisers whose organization may have changed: all advisers in the organizations that the affected advisers were in, and
-- in those of the advisers that they are tied to now. A tie changes only if one of its two ends changes, so no other
-- organization changes.
CREATE TEMP TABLE n_member ON COMMIT DROP AS
WITH affected AS (
    SELECT a.crd, a.canonical_gp_id, a.website_domain, a.name_stem FROM catalog.advisers a JOIN t_crd USING (crd)
), touched AS (
    SELECT canonical_gp_id FROM affected
    UNION
    SELECT a.canonical_gp_id
    FROM (SELECT DISTINCT website_domain, name_stem FROM affected WHERE website_domain IS NOT NULL AND name_stem <> '') g
    JOIN catalog.advisers a USING (website_domain, name_stem)
    UNION
    SELECT b.canonical_gp_id
    FROM (SELECT a.*, l.affiliate_crd AS other FROM affected a JOIN catalog.adviser_links l USING (crd)
          UNION ALL
          SELECT a.*, l.crd FROM affected a JOIN catalog.adviser_links l ON l.affiliate_crd = a.crd) a
    JOIN catalog.advisers b ON b.crd = a.other
    WHERE a.name_stem <> '' AND a.name_stem = b.name_stem OR a.website_domain = b.website_domain
    UNION
    SELECT b.canonical_gp_id
    FROM affected a
    JOIN catalog.overrides o ON o.field = 'canonical_gp_id' AND o.removed_at IS NULL AND a.crd IN (o.crd, o.value)
    JOIN catalog.advisers b ON b.crd IN (o.crd, o.value)
)
SELECT a.crd, a.canonical_gp_id, a.website_domain, a.name_stem FROM touched JOIN catalog.advisers a USING (canonical_gp_id);
ANALYZE n_member;

-- Filled by the process.
CREATE TEMP TABLE d_canonical (crd text COLLATE "C", id bigint) ON COMMIT DROP;
