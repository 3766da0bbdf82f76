-- The investments of a list, and those of which it takes something back.
CREATE TEMPORARY TABLE lp_touched ON COMMIT DROP AS
SELECT i.id AS investment_id, i.lp_id
FROM lp_list n
JOIN people.lps l USING (name_key, state)
JOIN people.lp_investments i ON i.lp_id = l.id AND i.fund_key = n.fund_key
UNION
SELECT investment_id, lp_id FROM lp_taken_back
