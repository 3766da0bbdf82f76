-- The first state of all: there is nothing to compare with.
INSERT INTO catalog.advisers (crd, canonical_gp_id, $adviser_columns$)
SELECT n.crd, n.crd::bigint, $n_adviser_columns$ FROM n_adviser n;

INSERT INTO catalog.funds (fund_id, $fund_columns$)
SELECT n.fund_id, $n_fund_columns$ FROM n_fund n ORDER BY n.fund_id;

ANALYZE catalog.advisers, catalog.funds;
