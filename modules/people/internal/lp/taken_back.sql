-- What documents of the same name stated before, and a list corrects, and whether the list still has it. Where the name has a date, there is one such
-- document, and all that it stated counts. Otherwise it may be the edition before: of an LP and day that the list has, everything counts; of other LPs,
-- what stood on a day that both have of some LP, or stands in the list on the same day under other LPs. But an LP that the list has with a later day has
-- moved on. A document that shares less than half of its names with the list is another owner's.
CREATE TEMPORARY TABLE lp_taken_back ON COMMIT DROP AS
WITH named AS MATERIALIZED (
	SELECT name_key AS name FROM lp_list UNION SELECT fund_key FROM lp_list
), stated AS MATERIALIZED (
	SELECT s.investment_id, s.as_of, s.run_id, i.lp_id, s.fund_name, l.name_key, l.state, i.fund_key,
		(l.name_key IN (SELECT name FROM named) OR i.fund_key IN (SELECT name FROM named))::int AS shares,
		(l.name_key, l.state, s.as_of) IN (SELECT name_key, state, as_of FROM lp_list_lps) AS listed,
		((i.fund_key, s.as_of) IN (SELECT fund_key, as_of FROM lp_list))::int AS held,
		EXISTS (
			SELECT FROM lp_list_lps n
			WHERE (n.name_key, n.state) = (l.name_key, l.state) AND n.as_of > s.as_of AND NOT EXISTS (
				SELECT FROM people.lp_listings k WHERE (k.lp_id, k.as_of, k.run_id) = (l.id, n.as_of, s.run_id))
		) AS moved_on
	FROM people.lp_statements s
	JOIN people.lp_investments i ON i.id = s.investment_id
	JOIN people.lps l ON l.id = i.lp_id
	WHERE s.run_id = ANY (@before::bigint[])
), brought AS MATERIALIZED (
	SELECT *, avg(shares) OVER (PARTITION BY run_id) AS share,
		listed OR NOT moved_on AND (bool_or(listed) OVER (PARTITION BY run_id, as_of) OR avg(held) OVER (PARTITION BY run_id, lp_id, as_of) >= 0.5) AS corrected
	FROM stated
)
SELECT DISTINCT ON (b.investment_id, b.as_of) b.investment_id, b.as_of, b.lp_id, b.fund_name,
	EXISTS (SELECT FROM lp_list n WHERE (n.name_key, n.state, n.fund_key, n.as_of) = (b.name_key, b.state, b.fund_key, b.as_of)) AS listed,
	EXISTS (SELECT FROM people.lp_statements s WHERE (s.investment_id, s.as_of) = (b.investment_id, b.as_of) AND s.run_id <> ALL (@before)) AS shared
FROM brought b
WHERE b.share >= 0.5 AND (@dated OR b.corrected)
ORDER BY b.investment_id, b.as_of, b.run_id DESC
