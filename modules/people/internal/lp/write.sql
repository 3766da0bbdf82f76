-- A field for which the list has no column keeps what another list of that day states. lacks are the fields that no list of the day has.
-- What documents with other names state of the same day is kept aside, whether it differs or not.
WITH listed AS (
	SELECT DISTINCT ON (i.id, n.as_of) i.id AS investment_id, n.*
	FROM lp_list n
	JOIN people.lps l USING (name_key, state)
	JOIN people.lp_investments i ON i.lp_id = l.id AND i.fund_key = n.fund_key
	ORDER BY i.id, n.as_of, n.line
), merged AS (
	SELECT n.investment_id, n.as_of, n.fund_name, n.committed,
		CASE WHEN 'gp_name' = ANY (@lacks::text[]) THEN c.gp_name ELSE n.gp_name END AS gp_name,
		CASE WHEN 'vintage_year' = ANY (@lacks) THEN c.vintage_year ELSE n.vintage_year END AS vintage_year,
		CASE WHEN 'contributed' = ANY (@lacks) THEN c.contributed ELSE n.contributed END AS contributed,
		CASE WHEN 'distributed' = ANY (@lacks) THEN c.distributed ELSE n.distributed END AS distributed,
		CASE WHEN 'nav' = ANY (@lacks) THEN c.nav ELSE n.nav END AS nav,
		CASE WHEN 'net_irr_percent' = ANY (@lacks) THEN c.net_irr_percent ELSE n.net_irr_percent END AS net_irr_percent,
		CASE WHEN 'multiple' = ANY (@lacks) THEN c.multiple ELSE n.multiple END AS multiple,
		ARRAY(SELECT f FROM unnest(@lacks::text[]) AS f WHERE c.lacks IS NULL OR f = ANY (c.lacks) ORDER BY f) AS lacks
	FROM listed n
	LEFT JOIN people.lp_commitments c USING (investment_id, as_of)
), compared AS MATERIALIZED (
	SELECT m.*, c.run_id AS run_before,
		(c.fund_name, c.gp_name, c.vintage_year, c.committed, c.contributed, c.distributed, c.nav, c.net_irr_percent, c.multiple, c.lacks)
		IS DISTINCT FROM (m.fund_name, m.gp_name, m.vintage_year, m.committed, m.contributed, m.distributed, m.nav, m.net_irr_percent, m.multiple, m.lacks) AS changed
	FROM merged m
	LEFT JOIN people.lp_commitments c USING (investment_id, as_of)
), replaced AS (
	INSERT INTO people.lp_commitments_replaced
	SELECT c.* FROM people.lp_commitments c JOIN compared n USING (investment_id, as_of) WHERE n.changed AND c.run_id <> ALL (@before::bigint[])
	ON CONFLICT DO NOTHING
	RETURNING run_id
), shared AS (
	INSERT INTO people.lp_commitments_replaced (investment_id, as_of, fund_name, gp_name, vintage_year,
		committed, contributed, distributed, nav, net_irr_percent, multiple, lacks, run_id)
	SELECT investment_id, as_of, fund_name, gp_name, vintage_year, committed, contributed, distributed, nav, net_irr_percent, multiple, lacks, @run_id
	FROM compared
	WHERE NOT changed AND run_before <> ALL (@before)
	ON CONFLICT DO NOTHING
), written AS (
	INSERT INTO people.lp_commitments AS c (investment_id, as_of, fund_name, gp_name, vintage_year,
		committed, contributed, distributed, nav, net_irr_percent, multiple, lacks, run_id)
	SELECT investment_id, as_of, fund_name, gp_name, vintage_year, committed, contributed, distributed, nav, net_irr_percent, multiple, lacks, @run_id
	FROM compared
	WHERE changed
	ON CONFLICT (investment_id, as_of) DO UPDATE SET
		fund_name = excluded.fund_name, gp_name = excluded.gp_name, vintage_year = excluded.vintage_year, committed = excluded.committed,
		contributed = excluded.contributed, distributed = excluded.distributed, nav = excluded.nav,
		net_irr_percent = excluded.net_irr_percent, multiple = excluded.multiple, lacks = excluded.lacks, run_id = excluded.run_id
	RETURNING (xmax = 0) AS is_new
)
SELECT (SELECT count(*) FROM written WHERE is_new) AS new,
	(SELECT count(*) FROM written WHERE NOT is_new) AS changed,
	(SELECT count(*) FROM listed) - (SELECT count(*) FROM written) AS unchanged,
	(SELECT array_agg(DISTINCT run_id) FROM replaced) AS replaced
