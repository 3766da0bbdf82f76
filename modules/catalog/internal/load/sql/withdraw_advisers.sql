-- Nothing else of an adviser comes from a withdrawal, so nothing else is derived anew.
CREATE TEMP TABLE c_adviser (crd text COLLATE "C", what text) ON COMMIT DROP;
WITH w AS (
    UPDATE catalog.advisers a SET withdrawn_on = n.withdrawn_on, updated_at = now()
    FROM t_crd t LEFT JOIN n_withdrawn n USING (crd)
    WHERE a.crd = t.crd AND a.withdrawn_on IS DISTINCT FROM n.withdrawn_on
    RETURNING a.crd
)
INSERT INTO c_adviser SELECT crd, 'changed' FROM w;
