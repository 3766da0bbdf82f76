-- +goose Up
CREATE SCHEMA catalog;

-- One row a filing (or roster row, which is evidence of one). Never deleted.
CREATE TABLE catalog.filings (
    accession       text PRIMARY KEY,              -- ADV-<CRD>-<FilingID>, ROSTER-<CRD>-<yyyymmdd>, LIST-<CRD>-<yyyymmdd>
    crd             text NOT NULL CHECK (crd ~ '^[1-9][0-9]{0,9}$'),
    source          text NOT NULL CHECK (source IN ('fund_list', 'roster', 'adv_archive')),
    filing_id       bigint,
    form_type       text NOT NULL CHECK (form_type IN ('ADV', 'ADV/A', 'ADV-W', 'D', 'D/A')),
    amendment_type  text NOT NULL CHECK (amendment_type IN ('initial', 'annual', 'material', 'withdrawal')),
    filing_date     date NOT NULL,
    submitted_at    timestamptz NOT NULL,
    filing_types    text[],                        -- marks of ADV_Filing_Types; null where the archive has none
    funds_listed    boolean NOT NULL,              -- the filing's whole 7.B.(1) list was loaded with it
    document        text NOT NULL,                 -- file it was read from
    run_id          bigint NOT NULL,
    status          text NOT NULL DEFAULT 'completed' CHECK (status IN ('pending', 'completed')),
    processed_at    timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX filings_crd_date ON catalog.filings (crd, filing_date DESC);
CREATE INDEX filings_date_source ON catalog.filings (filing_date, source);

-- What each filing said of the adviser. null = not said.
CREATE TABLE catalog.adviser_versions (
    crd                text NOT NULL,
    accession          text NOT NULL REFERENCES catalog.filings (accession),
    legal_name         text NOT NULL,
    business_name      text,
    sec_number         text,
    registration       text CHECK (registration IN ('registered', 'exempt_reporting')),
    sec_status         text,
    status_date        date,
    street1            text,
    street2            text,
    city               text,
    state              text,
    country            text,
    postal_code        text,
    private_residence  boolean,
    phone              text,
    website            text,                       -- the firm's own site: first that is no social page
    lei                text,
    form_version       text,
    employee_count     bigint,
    raum               bigint,
    raum_discretionary bigint,
    raum_non_discretionary bigint,
    org_form           text,
    fiscal_year_end    text,
    org_state          text,
    org_country        text,
    advises_funds      boolean,
    reported_fund_count bigint,
    reported_fund_gav  bigint,
    row_hash           bytea NOT NULL,
    PRIMARY KEY (crd, accession)
);

-- What each filing said of each fund that it lists.
CREATE TABLE catalog.fund_versions (
    fund_id            text NOT NULL CHECK (fund_id ~ '^805-[0-9]{10}$'),
    accession          text NOT NULL REFERENCES catalog.filings (accession),
    crd                text NOT NULL,
    reference_id       text,
    name               text NOT NULL,
    state              text,
    country            text,
    is_3c1             boolean,
    is_3c7             boolean,
    is_master          boolean,
    is_feeder          boolean,
    master_fund_name   text,
    master_fund_id     text,
    is_fund_of_funds   boolean,
    fund_type          text,
    fund_type_other    text,
    gross_asset_value  bigint,
    minimum_investment bigint,
    beneficial_owners_count bigint,
    pct_owned_related  double precision,
    pct_owned_funds    double precision,
    pct_owned_non_us   double precision,
    annual_audit       boolean,
    gaap               boolean,
    unqualified_opinion text,
    auditors           text[],                     -- names as filed, sorted; null = no auditor named
    form_d_file_numbers text[],
    row_hash           bytea NOT NULL,
    PRIMARY KEY (fund_id, accession)
);
CREATE INDEX fund_versions_accession ON catalog.fund_versions (accession);

-- The adviser as the filings up to now say: newest first, a partial source filled from the ones before it.
CREATE TABLE catalog.advisers (
    crd                text PRIMARY KEY CHECK (crd ~ '^[1-9][0-9]{0,9}$'),
    legal_name         text NOT NULL,
    business_name      text,
    sec_number         text,
    registration_status text CHECK (registration_status IN ('registered', 'exempt_reporting')),
    sec_status         text,
    registered_on      date,
    street1            text,
    street2            text,
    city               text,
    state              text,
    country            text,
    country_code       text CHECK (country_code ~ '^[A-Z]{2}$'),
    postal_code        text,
    private_residence  boolean,
    phone              text,
    website            text,
    website_domain     text,
    lei                text,
    employee_count     bigint,
    raum               bigint,
    raum_discretionary bigint,
    raum_non_discretionary bigint,
    org_form           text,
    fiscal_year_end    text,
    org_state          text,
    org_country        text,
    advises_funds      boolean,
    -- derived
    total_aum          bigint,
    primary_strategy   text,
    manager_type       text CHECK (manager_type IN ('pe_vc', 'hedge_fund', 'real_estate', 'other')),
    fund_count         bigint,                     -- funds not closed; null = unknown
    total_gav          bigint,
    total_investors    bigint,
    founded_year       integer,
    canonical_gp_id    bigint NOT NULL,            -- smallest CRD of the organisation's advisers
    name_stem          text NOT NULL,
    first_filed_on     date NOT NULL,
    latest_accession   text NOT NULL REFERENCES catalog.filings (accession),
    latest_form_type   text NOT NULL,
    latest_filed_on    date NOT NULL,
    updated_at         timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX advisers_canonical ON catalog.advisers (canonical_gp_id);
CREATE INDEX advisers_domain_stem ON catalog.advisers (website_domain, name_stem);

CREATE TABLE catalog.funds (
    id                 bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    fund_id            text NOT NULL UNIQUE CHECK (fund_id ~ '^805-[0-9]{10}$'),
    adviser_crd        text NOT NULL REFERENCES catalog.advisers (crd),
    name               text NOT NULL,
    state              text,
    country            text,
    jurisdiction       text,                       -- state where there is one, else country
    country_code       text CHECK (country_code ~ '^[A-Z]{2}$'),
    is_3c1             boolean,
    is_3c7             boolean,
    is_master          boolean,
    is_feeder          boolean,
    master_fund_name   text,
    master_fund_id     text,
    is_fund_of_funds   boolean,
    fund_type          text,
    fund_type_other    text,
    gross_asset_value  bigint,
    minimum_investment bigint,
    beneficial_owners_count bigint,
    pct_owned_related  double precision,
    pct_owned_funds    double precision,
    pct_owned_non_us   double precision,
    annual_audit       boolean,
    gaap               boolean,
    unqualified_opinion text,
    auditors           text[],
    form_d_file_numbers text[],
    -- derived
    strategy           text NOT NULL,
    vintage_year       integer NOT NULL,
    vintage_source     text NOT NULL CHECK (vintage_source IN ('form_d_first_sale', 'first_filing')),
    exemptions         text[],                     -- 506b, 506c from Form D
    status             text NOT NULL CHECK (status IN ('active', 'liquidating', 'closed')),
    peak_gav           bigint,
    first_filed_on     date NOT NULL,
    latest_accession   text NOT NULL REFERENCES catalog.filings (accession),
    latest_form_type   text NOT NULL,
    latest_filed_on    date NOT NULL,
    updated_at         timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX funds_adviser ON catalog.funds (adviser_crd);

-- One row a published change; the index compares its own number with the newest after a lost connection.
CREATE TABLE catalog.publications (
    seq          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    run_id       bigint NOT NULL,
    reason       text NOT NULL,
    published_at timestamptz NOT NULL DEFAULT now()
);

-- What other modules may read.
CREATE VIEW catalog.pub_gp AS
SELECT crd, canonical_gp_id, legal_name, business_name, city, state, country, country_code, registration_status,
       total_aum, primary_strategy, employee_count, fund_count, website, latest_filed_on
FROM catalog.advisers;

CREATE VIEW catalog.pub_fund AS
SELECT id, fund_id, adviser_crd, name, strategy, vintage_year, gross_asset_value, status, first_filed_on, latest_filed_on
FROM catalog.funds;

-- +goose Down
DROP SCHEMA catalog CASCADE;
