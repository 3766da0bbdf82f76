INSERT INTO catalog.overrides (id, crd, fund_id, field, value, valid_from)
VALUES (@id, nullif(@crd, ''), nullif(@fund, ''), @field, @value, @valid_from::date)
ON CONFLICT (coalesce(crd, fund_id), field) WHERE removed_at IS NULL DO NOTHING
