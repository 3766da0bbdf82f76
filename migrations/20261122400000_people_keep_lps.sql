-- +goose Up
-- Investors in private funds, as lists of their commitments name them.
CREATE TABLE people.lps (
    id               bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name_key         text NOT NULL COLLATE "C", -- the name in lower case: with the state, what an LP is known by
    state            text NOT NULL COLLATE "C", -- empty: not stated
    name             text NOT NULL,
    entity_type      text NOT NULL CHECK (entity_type IN
        ('pension', 'endowment', 'family_office', 'fund_of_funds', 'insurance', 'sovereign_wealth', 'corporate', 'other')),
    city             text,
    country          text,
    investment_count integer NOT NULL DEFAULT 0, -- this and the next two follow from the commitments
    total_committed  bigint,
    as_of            date NOT NULL,
    created_at       timestamptz NOT NULL,
    UNIQUE (name_key, state)
);

-- A fund that an LP has committed to, and who manages it as far as that can be told by names.
CREATE TABLE people.lp_investments (
    id               bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    lp_id            bigint NOT NULL REFERENCES people.lps ON DELETE CASCADE,
    fund_key         text NOT NULL COLLATE "C", -- the fund's name in lower case
    match_method     text CHECK (match_method IN ('fund_name', 'fund_series', 'manager_name', 'operator')),
    match_crd        text COLLATE "C",
    match_fund_id    text COLLATE "C",
    match_confidence double precision CHECK (match_confidence BETWEEN 0 AND 1),
    UNIQUE (lp_id, fund_key)
);
CREATE INDEX lp_investments_crd ON people.lp_investments (match_crd) WHERE match_crd IS NOT NULL;

-- What a list says of an investment on a day. Amounts are US dollars.
CREATE TABLE people.lp_commitments (
    investment_id   bigint NOT NULL REFERENCES people.lp_investments ON DELETE CASCADE,
    as_of           date NOT NULL,
    latest          boolean NOT NULL, -- the newest day of the investment
    fund_name       text NOT NULL,
    gp_name         text,
    vintage_year    smallint,
    committed       bigint,
    contributed     bigint,
    distributed     bigint,
    nav             bigint,
    net_irr_percent double precision,
    multiple        double precision,
    run_id          bigint NOT NULL,  -- the ingestion that said so last
    PRIMARY KEY (investment_id, as_of)
);
CREATE UNIQUE INDEX lp_commitments_latest ON people.lp_commitments (investment_id) WHERE latest;

-- Up to where the catalogue was when all investments were matched. There is no row when some are still to be.
CREATE TABLE people.lp_matched (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    arrival  bigint NOT NULL
);

-- +goose Down
DROP TABLE people.lp_matched, people.lp_commitments, people.lp_investments, people.lps;
