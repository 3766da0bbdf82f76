-- The chains of notices that a load touches, and the names that affected funds may bear.
CREATE TEMP TABLE o_touched (chain text COLLATE "C") ON COMMIT DROP;
CREATE TEMP TABLE t_key (name_key text COLLATE "C") ON COMMIT DROP
