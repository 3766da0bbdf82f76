-- The funds that more than one adviser named.
CREATE TEMP TABLE n_shared ON COMMIT DROP AS
SELECT v.fund_id FROM catalog.fund_versions v $of_funds$ GROUP BY v.fund_id HAVING min(v.crd) <> max(v.crd);
ANALYZE n_shared;
