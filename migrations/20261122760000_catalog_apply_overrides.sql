-- +goose Up
-- Corrections by operators. They come on top of what the filings say.
CREATE TABLE catalog.overrides (
    id           bigint PRIMARY KEY,       -- of the register
    crd          text COLLATE "C",         -- the adviser that is corrected
    fund_id      text COLLATE "C",         -- or the fund
    field        text        NOT NULL,
    value        text,                     -- null = there is none
    valid_from   date        NOT NULL,
    processed_at timestamptz NOT NULL DEFAULT catalog.current_processing(),
    removed_at   timestamptz,              -- as processed_at
    CHECK (num_nonnulls(crd, fund_id) = 1)
);
CREATE UNIQUE INDEX overrides_active ON catalog.overrides (coalesce(crd, fund_id), field) WHERE removed_at IS NULL;
CREATE INDEX overrides_by_crd ON catalog.overrides (crd);
CREATE INDEX overrides_by_fund ON catalog.overrides (fund_id);

ALTER TABLE catalog.advisers DROP CONSTRAINT advisers_founded_year_basis_check,
    ADD CONSTRAINT advisers_founded_year_basis_check CHECK (founded_year_basis IN ('registration', 'first_filing', 'override'));

-- +goose Down
UPDATE catalog.advisers SET founded_year_basis = 'first_filing' WHERE founded_year_basis = 'override';
ALTER TABLE catalog.advisers DROP CONSTRAINT advisers_founded_year_basis_check,
    ADD CONSTRAINT advisers_founded_year_basis_check CHECK (founded_year_basis IN ('registration', 'first_filing'));
DROP TABLE catalog.overrides;
