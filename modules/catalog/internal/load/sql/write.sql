-- What is changed here, as the transaction found it: see changes.sql.
INSERT INTO b_before_adviser
SELECT a.* FROM catalog.advisers a JOIN n_adviser n USING (crd) WHERE ROW($a_adviser_columns$) IS DISTINCT FROM ROW($n_adviser_columns$)
ON CONFLICT DO NOTHING;
INSERT INTO b_before_fund
SELECT a.* FROM catalog.funds a JOIN n_fund n USING (fund_id) WHERE ROW($a_fund_columns$) IS DISTINCT FROM ROW($n_fund_columns$)
UNION ALL
SELECT a.* FROM catalog.funds a JOIN t_fund USING (fund_id) WHERE NOT EXISTS (SELECT 1 FROM n_fund n WHERE n.fund_id = a.fund_id)
ON CONFLICT DO NOTHING;

WITH w AS (
    UPDATE catalog.advisers a SET ($adviser_columns$) = ROW($n_adviser_columns$), updated_at = now()
    FROM n_adviser n
    WHERE a.crd = n.crd AND ROW($a_adviser_columns$) IS DISTINCT FROM ROW($n_adviser_columns$)
    RETURNING a.crd
)
INSERT INTO c_adviser SELECT crd, 'changed' FROM w;

WITH w AS (
    INSERT INTO catalog.advisers (crd, canonical_gp_id, $adviser_columns$)
    SELECT n.crd, n.canonical_gp_id, $n_adviser_columns$ FROM n_adviser n
    WHERE NOT EXISTS (SELECT 1 FROM catalog.advisers a WHERE a.crd = n.crd)
    RETURNING crd
)
INSERT INTO c_adviser SELECT crd, 'new' FROM w;

WITH w AS (
    UPDATE catalog.funds a SET ($fund_columns$) = ROW($n_fund_columns$), updated_at = now(),
        arrival = CASE WHEN a.adviser_crd = n.adviser_crd THEN a.arrival ELSE catalog.current_arrival() END
    FROM n_fund n
    WHERE a.fund_id = n.fund_id AND ROW($a_fund_columns$) IS DISTINCT FROM ROW($n_fund_columns$)
    RETURNING a.fund_id
)
INSERT INTO c_fund SELECT fund_id, 'changed' FROM w;

WITH w AS (
    INSERT INTO catalog.funds (fund_id, $fund_columns$)
    SELECT n.fund_id, $n_fund_columns$ FROM n_fund n
    WHERE NOT EXISTS (SELECT 1 FROM catalog.funds a WHERE a.fund_id = n.fund_id)
    ORDER BY n.fund_id
    RETURNING fund_id
)
INSERT INTO c_fund SELECT fund_id, 'new' FROM w;

-- A fund that no filing names any more, because the only ones that did were restated, never was.
WITH w AS (
    DELETE FROM catalog.funds f USING t_fund t
    WHERE f.fund_id = t.fund_id AND NOT EXISTS (SELECT 1 FROM n_fund n WHERE n.fund_id = t.fund_id)
    RETURNING f.fund_id
)
INSERT INTO c_fund SELECT fund_id, 'gone' FROM w;
INSERT INTO b_before_adviser (crd) SELECT crd FROM c_adviser WHERE what = 'new' ON CONFLICT DO NOTHING;
INSERT INTO b_before_fund (fund_id) SELECT fund_id FROM c_fund WHERE what = 'new' ON CONFLICT DO NOTHING;
