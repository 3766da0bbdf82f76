-- How lists write the funds of the LPs of a staged list, by list and day: those that are stored, and the staged one (run 0).
SELECT DISTINCT l.name_key, l.state, i.fund_key, s.fund_name AS fund, s.run_id, s.as_of
FROM people.lps l
JOIN people.lp_investments i ON i.lp_id = l.id
JOIN people.lp_statements s ON s.investment_id = i.id
WHERE (l.name_key, l.state) IN (SELECT name_key, state FROM lp_list)
UNION ALL
SELECT name_key, state, fund_key, fund_name, 0, as_of
FROM lp_list
