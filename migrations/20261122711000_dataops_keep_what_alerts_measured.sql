-- +goose Up
-- The figure that raised an alert, so that a resolved one is not raised again for the same rows.
ALTER TABLE dataops.alerts ADD COLUMN value double precision, ADD COLUMN measured_on date;

-- +goose Down
ALTER TABLE dataops.alerts DROP COLUMN measured_on, DROP COLUMN value;
