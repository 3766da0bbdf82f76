-- LPs that a list lacks, and those of it that have most of their commitments, new for them: the same amounts to the same funds.
WITH known AS MATERIALIZED (
	SELECT l.id, l.name, l.name_key, l.state, i.fund_key, f.committed
	FROM people.lps l
	JOIN people.lp_investments i ON i.lp_id = l.id
	JOIN people.lp_figures f ON f.investment_id = i.id
), gone AS MATERIALIZED (
	SELECT id, name, state, fund_key, committed, count(*) OVER (PARTITION BY id) AS had
	FROM known
	WHERE committed > 0 AND (name_key, state) NOT IN (SELECT name_key, state FROM lp_list)
)
SELECT g.name AS lp, g.state, min(n.name COLLATE "C") AS now, n.state AS now_state, g.had, count(DISTINCT g.fund_key) AS moved
FROM gone g
JOIN lp_list n USING (fund_key, committed)
WHERE NOT EXISTS (SELECT FROM known k WHERE (k.name_key, k.state, k.fund_key) = (n.name_key, n.state, n.fund_key))
GROUP BY g.id, g.name, g.state, g.had, n.name_key, n.state
HAVING count(DISTINCT g.fund_key) >= 5 AND count(DISTINCT g.fund_key) * 2 > g.had
ORDER BY g.name COLLATE "C", g.state, n.name_key, n.state
