UPDATE people.lps l
SET investment_count = s.investments, total_committed = s.committed, as_of = s.as_of
FROM (
	SELECT i.lp_id, count(*) AS investments, sum(f.committed)::bigint AS committed, max(f.as_of) AS as_of
	FROM people.lp_investments i
	JOIN people.lp_figures f ON f.investment_id = i.id
	WHERE i.lp_id IN (SELECT l.id FROM lp_list n JOIN people.lps l USING (name_key, state))
	GROUP BY i.lp_id
) s
WHERE l.id = s.lp_id
