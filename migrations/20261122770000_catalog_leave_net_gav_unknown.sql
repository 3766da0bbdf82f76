-- +goose Up
-- Whether a fund is a feeder is not known from a list of funds. An adviser with such an open fund of known value has no net_gav. The
-- next derivation says so anew.
UPDATE catalog.advisers a SET net_gav = NULL
WHERE net_gav IS NOT NULL AND EXISTS (
    SELECT FROM catalog.funds f
    WHERE f.adviser_crd = a.crd AND f.status <> 'closed' AND f.gross_asset_value IS NOT NULL AND f.is_feeder IS NULL);

-- +goose Down
-- Nothing to take back: the next derivation says what net_gav is.
SELECT 1;
