-- +goose Up
-- What an account has spent in a month: its row has the sum of one period, and a later month begins with zero.
CREATE FUNCTION billing.spent_in(month date, period date, spent_micros bigint) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN period < month THEN 0 ELSE spent_micros END;

-- +goose Down
DROP FUNCTION billing.spent_in(date, date, bigint);
