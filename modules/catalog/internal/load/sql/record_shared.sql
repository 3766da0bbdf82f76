-- The funds that more than one adviser ever named.
CREATE TEMP TABLE n_shared ON COMMIT DROP AS
SELECT v.fund_id FROM (
    SELECT v.fund_id, v.crd FROM catalog.fund_versions v WHERE $affected$
    UNION ALL SELECT v.fund_id, v.crd FROM catalog.replaced_versions v WHERE v.fund_id <> '' AND $affected$
) v GROUP BY v.fund_id HAVING min(v.crd) <> max(v.crd);
ANALYZE n_shared;
