-- Funds that have closed, as the catalog decides (TestClosingsAreTheCatalogs), and advisers that have withdrawn in full. A fund is new if no filing of the day on which it
-- closed or later was there before.
WITH listing AS NOT MATERIALIZED ( -- else each fund would read all of it
	SELECT crd, filing_date, arrival FROM catalog.pub_adviser_filing WHERE funds_listed AND arrival <= @high
),
closed AS (
	SELECT f.adviser_crd AS crd, f.name, '/funds/' || f.fund_id AS path, 'fund' AS word, coalesce(f.gross_asset_value, -1) AS amount, f.closed_on AS day
	FROM catalog.pub_fund f
	WHERE f.closed_on IS NOT NULL AND f.adviser_crd IN (SELECT crd FROM listing WHERE arrival > @low)
		AND (SELECT min(l.arrival) FROM listing l WHERE l.crd = f.adviser_crd AND l.filing_date >= f.closed_on) > @low
	UNION ALL
	-- The catalog decides whether a withdrawal stands: an adviser that filed later, or withdrew by mistake, has withdrawn_on = null.
	-- It is withdrawn_on and not former: that no list names an adviser any more is no closing, only a list without it.
	SELECT g.crd, g.legal_name, '/gps/' || g.crd, 'adviser', coalesce(g.total_aum, -1), g.withdrawn_on
	FROM catalog.pub_gp g
	WHERE g.withdrawn_on IS NOT NULL AND EXISTS (
		SELECT FROM catalog.pub_withdrawal w JOIN catalog.pub_adviser_filing f USING (accession)
		WHERE w.crd = g.crd AND w.is_full AND w.filing_date = g.withdrawn_on AND f.arrival > @low AND f.arrival <= @high)
)
SELECT crd, name, path, word, amount, 0::bigint AS before, day, count(*) OVER () AS total
FROM closed WHERE day >= @recent::date
ORDER BY amount DESC, name, path LIMIT @most
