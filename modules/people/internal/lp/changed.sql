-- The funds whose commitments have changed since the last matching: the figures of one, or whose fund it is. Nothing tells of which LP. The first matching
-- gives none.
WITH changed AS (
	SELECT DISTINCT u.crd, coalesce(u.fund_id, '') AS fund_id
	FROM people.lp_investments i JOIN lp_before b USING (id) LEFT JOIN people.lp_changed c ON c.investment_id = i.id,
		LATERAL (VALUES (b.match_crd, b.match_fund_id), (i.match_crd, i.match_fund_id)) AS u (crd, fund_id)
	WHERE u.crd IS NOT NULL AND EXISTS (SELECT FROM lp_before WHERE match_crd IS NOT NULL)
		AND (c.investment_id IS NOT NULL OR (b.match_crd, b.match_fund_id) IS DISTINCT FROM (i.match_crd, i.match_fund_id))
)
SELECT @kind AS kind, c.crd, c.fund_id AS subject, '' AS accession, NULL::date AS day, 0::bigint AS arrival,
	jsonb_strip_nulls(jsonb_build_object('gp_name', g.legal_name, 'fund_name', f.name, 'reason', 'list')) AS said
FROM changed c LEFT JOIN catalog.pub_gp g USING (crd) LEFT JOIN catalog.pub_fund f ON f.fund_id = c.fund_id
