-- The page is cut before the catalog is asked, which then looks up its rows alone.
WITH part AS MATERIALIZED (
	SELECT * FROM accounts.collection_items WHERE collection_id = @id ORDER BY added_at DESC, adviser_crd LIMIT @limit OFFSET @offset
)
SELECT p.adviser_crd AS crd, g.legal_name AS gp_name, nullif(g.city, '') AS city, nullif(g.state, '') AS state, p.added_at
FROM part p LEFT JOIN catalog.pub_gp g ON g.crd = p.adviser_crd
ORDER BY p.added_at DESC, p.adviser_crd
