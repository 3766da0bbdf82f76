-- +goose Up
-- The gross assets of an adviser's open funds without those of feeders whose master is among them. The next derivation counts an
-- adviser anew; until then feeders are found here as there.
ALTER TABLE catalog.advisers ADD COLUMN net_gav bigint;
UPDATE catalog.advisers a SET net_gav = CASE WHEN total_gav = 0 THEN 0 ELSE (
    SELECT least(sum(f.gross_asset_value), 9223372036854775807)::bigint FROM catalog.funds f
    WHERE f.adviser_crd = a.crd AND f.status <> 'closed' AND f.gross_asset_value IS NOT NULL AND NOT (coalesce(f.is_feeder, false) AND EXISTS (
        SELECT FROM catalog.funds m
        WHERE m.fund_id = f.master_fund_id AND m.fund_id <> f.fund_id AND m.adviser_crd = f.adviser_crd AND m.status <> 'closed'
          AND m.gross_asset_value IS NOT NULL AND NOT (coalesce(m.is_feeder, false) AND coalesce(m.master_fund_id = f.fund_id, false))))
    HAVING count(*) > 0) END
WHERE total_gav IS NOT NULL;

-- +goose Down
ALTER TABLE catalog.advisers DROP COLUMN net_gav;
