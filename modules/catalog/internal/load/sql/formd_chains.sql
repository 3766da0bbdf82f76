-- The chains whose joins must be computed again.
CREATE TEMP TABLE o_touched ON COMMIT DROP AS SELECT DISTINCT chain FROM d_chain;
ANALYZE o_touched;

-- Form ADV data has not changed: only the effects of the joins are derived again.
CREATE TEMP TABLE t_crd (crd text COLLATE "C") ON COMMIT DROP;
CREATE TEMP TABLE t_fund (fund_id text COLLATE "C") ON COMMIT DROP;
