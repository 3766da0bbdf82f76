-- The page is cut before the catalog is asked, which then looks up its rows alone.
WITH part AS MATERIALIZED (
	SELECT * FROM accounts.watchlist_items WHERE user_id = @user ORDER BY created_at DESC, id LIMIT @limit OFFSET @offset
)
SELECT p.id, p.adviser_crd, coalesce(g.canonical_gp_id, p.canonical_gp_id) AS canonical_gp_id, p.alert_enabled, p.created_at,
	g.legal_name AS gp_name, nullif(g.city, '') AS city, nullif(g.state, '') AS state
FROM part p LEFT JOIN catalog.pub_gp g ON g.crd = p.adviser_crd
ORDER BY p.created_at DESC, p.id
