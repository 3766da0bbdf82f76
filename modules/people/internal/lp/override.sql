UPDATE people.lp_investments SET match_method = @operator, match_crd = @crd, match_fund_id = NULL, match_confidence = 1 WHERE id = @id
