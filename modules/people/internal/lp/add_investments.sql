INSERT INTO people.lp_investments (lp_id, fund_key)
SELECT DISTINCT l.id, n.fund_key
FROM lp_list n
JOIN people.lps l USING (name_key, state)
WHERE NOT EXISTS (SELECT FROM people.lp_investments i WHERE i.lp_id = l.id AND i.fund_key = n.fund_key)
ORDER BY l.id, n.fund_key
