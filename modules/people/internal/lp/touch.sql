-- The investments of a list, and those of which it takes something back; of an LP of which it takes only the city or type back, none.
CREATE TEMPORARY TABLE lp_touched ON COMMIT DROP AS
SELECT i.id AS investment_id, i.lp_id
FROM lp_list n
JOIN people.lps l USING (name_key, state)
JOIN people.lp_investments i ON i.lp_id = l.id AND i.fund_key = n.fund_key
UNION
SELECT investment_id, lp_id FROM lp_taken_back WHERE NOT listed
UNION
SELECT NULL, lp_id FROM lp_unlisted
