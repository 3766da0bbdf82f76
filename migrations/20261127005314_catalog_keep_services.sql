-- +goose Up
-- The firms that serve funds, each as filings write it: one row for each combination of name, CRD number and LEI. Auditors have a name alone.
CREATE TABLE catalog.provider_names (
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text NOT NULL,
    crd text COLLATE "C" NOT NULL,
    lei text NOT NULL,
    UNIQUE (name, crd, lei)
);

-- The firms that serve each open fund. Roles are numbered: auditor 0, prime broker 1, custodian 2, administrator 3, marketer 4. Bit n of stated
-- means that a filing answers who has the role n. Each service is 8 * the id of a name + the role.
CREATE TABLE catalog.fund_services (
    fund_id text COLLATE "C" PRIMARY KEY,
    stated smallint NOT NULL,
    services integer[] NOT NULL
);

-- Filings that state other firms in a role of funds than the filing before: the ids of the names before and after.
CREATE TABLE catalog.provider_changes (
    crd text COLLATE "C" NOT NULL,
    accession text COLLATE "C" NOT NULL,
    seq smallint NOT NULL,
    filing_date date NOT NULL,
    role smallint NOT NULL,
    before integer[] NOT NULL,
    after integer[] NOT NULL,
    funds text[] NOT NULL,
    funds_in_filing integer NOT NULL,
    PRIMARY KEY (accession, seq)
);
CREATE INDEX provider_changes_day ON catalog.provider_changes (filing_date, accession, seq);
CREATE INDEX provider_changes_adviser ON catalog.provider_changes (crd);

-- +goose Down
DROP TABLE catalog.provider_changes;
DROP TABLE catalog.fund_services;
DROP TABLE catalog.provider_names;
