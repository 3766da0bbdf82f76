UPDATE people.lp_commitments c
SET latest = false
FROM lp_list n
JOIN people.lps l USING (name_key, state)
JOIN people.lp_investments i ON i.lp_id = l.id AND i.fund_key = n.fund_key
WHERE c.investment_id = i.id AND c.latest AND c.as_of < (SELECT max(o.as_of) FROM people.lp_commitments o WHERE o.investment_id = i.id)
