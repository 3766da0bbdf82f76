UPDATE people.lp_investments
SET match_method = found_method, match_crd = found_crd, match_fund_id = found_fund_id, match_confidence = found_confidence
WHERE id = @id
