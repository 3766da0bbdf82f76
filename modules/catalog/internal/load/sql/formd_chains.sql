-- The chains whose joins are to be worked out anew.
CREATE TEMP TABLE o_touched ON COMMIT DROP AS SELECT DISTINCT chain FROM d_chain;
ANALYZE o_touched;

-- Nothing of Form ADV has changed: only what the joins bring is derived anew.
CREATE TEMP TABLE t_crd (crd text COLLATE "C") ON COMMIT DROP;
CREATE TEMP TABLE t_fund (fund_id text COLLATE "C") ON COMMIT DROP;
