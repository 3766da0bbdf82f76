-- Registered GPs whose funds, without feeders, have more than twice the assets that the GP reports in all.
SELECT '' AS dimension, g.crd, f.n || ' funds have ' || f.gav || ', all clients together ' || g.total_aum AS detail, 1::bigint AS weight
FROM catalog.pub_gp g JOIN (
	SELECT adviser_crd, count(*) AS n, sum(gross_asset_value) AS gav FROM catalog.pub_fund
	WHERE status <> 'closed' AND is_feeder IS NOT TRUE GROUP BY adviser_crd
) f ON f.adviser_crd = g.crd
WHERE g.registration_status = 'registered' AND g.withdrawn_on IS NULL AND g.total_aum > 0 AND f.gav > 2 * g.total_aum
