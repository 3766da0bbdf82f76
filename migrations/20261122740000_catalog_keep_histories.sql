-- What the fold of its filings found of each adviser, so that metrics, changes and provenance are one look-up. A load writes the rows
-- of the advisers whose current rows it derives, in its transaction. They are read and written by catalog/internal/keep.

-- +goose Up
CREATE TABLE catalog.adviser_histories (
    crd          text COLLATE "C" PRIMARY KEY,
    encoding     smallint NOT NULL, -- a row of another encoding than the program's counts as missing
    states       bytea NOT NULL,    -- the adviser after each of its filings, and as it stands
    funds        bytea NOT NULL,    -- its funds as they stand, with every value that was stated
    sources      bytea NOT NULL,    -- which filing each value of its detail comes from
    fund_sources bytea NOT NULL     -- the same of each of its funds
);

-- +goose Down
DROP TABLE catalog.adviser_histories;
