-- One organisation: advisers with the same website domain and the same name stem (umbrella registration, relying
-- advisers). Its id is its smallest CRD. Only the groups that an affected adviser leaves or joins are looked at.
-- Spec: not shown; sharing the domain alone is not enough (hosted sites, networks), nor is the name alone.
INSERT INTO n_group
SELECT DISTINCT n.website_domain, n.name_stem FROM n_adviser n
WHERE n.website_domain IS NOT NULL AND n.name_stem <> ''
EXCEPT SELECT website_domain, name_stem FROM n_group;
ANALYZE n_group;

WITH member AS (
    SELECT a.crd, min(a.crd::bigint) OVER (PARTITION BY a.website_domain, a.name_stem) AS id
    FROM catalog.advisers a JOIN n_group USING (website_domain, name_stem)
    UNION ALL
    SELECT a.crd, a.crd::bigint
    FROM catalog.advisers a JOIN t_crd USING (crd)
    WHERE a.website_domain IS NULL OR a.name_stem = ''
), w AS (
    UPDATE catalog.advisers a SET canonical_gp_id = m.id, updated_at = now()
    FROM member m WHERE a.crd = m.crd AND a.canonical_gp_id <> m.id
    RETURNING a.crd
)
INSERT INTO c_adviser SELECT crd, 'changed' FROM w WHERE NOT EXISTS (SELECT 1 FROM c_adviser c WHERE c.crd = w.crd);
