-- Nothing else of an adviser comes from a withdrawal, so nothing else is derived anew: the day that it ended, and the day of
-- its newest filing.
CREATE TEMP TABLE c_adviser (crd text COLLATE "C", what text) ON COMMIT DROP;
WITH w AS (
    UPDATE catalog.advisers a SET withdrawn_on = n.withdrawn_on, newest_filed_on = n.newest_filed_on, updated_at = now()
    FROM (
        SELECT t.crd, w.withdrawn_on, greatest(
            (SELECT max(f.filing_date) FROM catalog.filings f WHERE f.crd = t.crd),
            (SELECT max(o.filing_date) FROM catalog.funds d JOIN catalog.offering_funds l USING (fund_id) JOIN catalog.offerings o USING (accession)
             WHERE d.adviser_crd = t.crd)) AS newest_filed_on
        FROM t_crd t LEFT JOIN n_withdrawn w USING (crd)
    ) n
    WHERE a.crd = n.crd AND (a.withdrawn_on, a.newest_filed_on) IS DISTINCT FROM (n.withdrawn_on, n.newest_filed_on)
    RETURNING a.crd
)
INSERT INTO c_adviser SELECT crd, 'changed' FROM w;
