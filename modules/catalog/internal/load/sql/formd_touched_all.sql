-- All chains of notices: the first load touches them all.
CREATE TEMP TABLE o_touched ON COMMIT DROP AS SELECT DISTINCT chain FROM catalog.offerings;
ANALYZE o_touched, catalog.fund_form_d_numbers
