UPDATE people.lps l
SET investment_count = s.investments, total_committed = s.committed, committed_known = s.known, as_of = coalesce(s.as_of, l.as_of)
FROM (
	SELECT i.lp_id, count(f.investment_id) AS investments, sum(f.committed)::bigint AS committed, count(f.committed) AS known, max(f.as_of) AS as_of
	FROM people.lp_investments i
	LEFT JOIN people.lp_figures f ON f.investment_id = i.id
	WHERE i.lp_id IN (SELECT lp_id FROM lp_touched)
	GROUP BY i.lp_id
) s
WHERE l.id = s.lp_id
