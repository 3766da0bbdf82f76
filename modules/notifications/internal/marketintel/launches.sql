-- Funds that a filing reported for the first time, and recently: one that is old was only loaded late. One that is closed already is not
-- offered as new.
SELECT adviser_crd AS crd, name, '/v1/funds/' || fund_id AS path, strategy AS word, coalesce(gross_asset_value, -1) AS amount, 0::bigint AS before,
	first_filed_on AS day, count(*) OVER () AS total
FROM catalog.pub_fund
WHERE arrival > @low AND arrival <= @high AND first_filed_on >= @recent::date AND status <> 'closed'
ORDER BY gross_asset_value DESC NULLS LAST, name, fund_id LIMIT @most
