-- +goose Up
-- A match by a name alone is none. Such matches were kept, but never shown.
UPDATE people.lp_investments SET found_method = NULL, found_crd = NULL, found_fund_id = NULL, found_confidence = NULL WHERE found_confidence < 0.8;
UPDATE people.lp_investments SET match_method = NULL, match_crd = NULL, match_fund_id = NULL, match_confidence = NULL WHERE match_confidence < 0.8;

-- +goose Down
SELECT 1;
