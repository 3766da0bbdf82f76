-- What the rules of a fund read of its newest version.
SELECT fund_id, coalesce(fund_type, ''), coalesce(fund_type_other, ''), name, is_fund_of_funds, coalesce(country, ''), coalesce(state, '')
FROM n_pick
