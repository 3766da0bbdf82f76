-- +goose Up
-- Sources that came later: the daily feed of firms, withdrawals.
ALTER TABLE catalog.filings DROP CONSTRAINT filings_source_check;
ALTER TABLE catalog.filings ADD CONSTRAINT filings_source_check
    CHECK (source IN ('fund_list', 'roster', 'iapd_feed', 'adv_archive', 'advw'));

-- The children of a filing are written in its transaction and never without it. Foreign keys would be checked row by row,
-- a third to half of a big load's time.
ALTER TABLE catalog.adviser_versions DROP CONSTRAINT adviser_versions_accession_fkey;
ALTER TABLE catalog.fund_versions DROP CONSTRAINT fund_versions_accession_fkey;

-- Schedule D 1.D.(3) and 1.E.(2): a firm's further numbers.
CREATE TABLE catalog.identifiers (
    accession text NOT NULL,
    seq       integer NOT NULL,
    crd       text NOT NULL,
    kind      text NOT NULL CHECK (kind IN ('cik', 'crd')),
    value     text NOT NULL,
    PRIMARY KEY (accession, seq)
);
CREATE INDEX identifiers_value ON catalog.identifiers (value, kind);

-- Schedule D 1.F.
CREATE TABLE catalog.offices (
    accession text NOT NULL,
    seq       integer NOT NULL,
    crd       text NOT NULL,
    street1   text,
    street2   text,
    city      text,
    state     text,
    country   text,
    postal_code text,
    private_residence boolean,
    phone     text,
    employee_count bigint,
    PRIMARY KEY (accession, seq)
);

-- Schedule D 7.A.
CREATE TABLE catalog.affiliates (
    accession text NOT NULL,
    seq       integer NOT NULL,
    crd       text NOT NULL,                       -- of the adviser that files
    reference_id text,
    legal_name text,
    business_name text,
    sec_number text,
    affiliate_crd text,
    types     text[],                              -- letters of the answers 5.(a) to 5.(p)
    controls  boolean,
    common_control boolean,
    PRIMARY KEY (accession, seq)
);

-- Schedules A and B: owners and executive officers, as each filing lists them.
CREATE TABLE catalog.owners (
    accession text NOT NULL,
    seq       integer NOT NULL,
    crd       text NOT NULL,
    schedule  text NOT NULL CHECK (schedule IN ('A', 'B')),
    name      text NOT NULL,
    entity_type text CHECK (entity_type IN ('I', 'DE', 'FE')),
    owned_entity text,
    title     text,
    acquired_year integer,
    acquired_month integer CHECK (acquired_month BETWEEN 1 AND 12),
    ownership_code text CHECK (ownership_code IN ('NA', 'A', 'B', 'C', 'D', 'E', 'F')),
    control_person boolean,
    public_reporting boolean,
    owner_id  text,
    PRIMARY KEY (accession, seq)
);
CREATE INDEX owners_crd ON catalog.owners (crd);
CREATE INDEX owners_owner_id ON catalog.owners (owner_id) WHERE owner_id IS NOT NULL;

-- Disclosure reporting pages.
CREATE TABLE catalog.disclosures (
    accession text NOT NULL,
    seq       integer NOT NULL,
    crd       text NOT NULL,
    family    text NOT NULL CHECK (family IN ('criminal', 'regulatory', 'civil_judicial')),
    reference_id text,
    amended   boolean,
    items     text[],
    filed_against text,
    initiated_by text,
    initiator_type text,
    court     text,
    case_number text,
    event_date date,
    product   text,
    allegations text,
    felony    boolean,
    status    text,
    resolution text,
    resolution_date date,
    sanctions text[],
    monetary_amount bigint,
    sanction_detail text,
    summary   text,
    PRIMARY KEY (accession, seq)
);
CREATE INDEX disclosures_crd ON catalog.disclosures (crd);

CREATE TABLE catalog.disclosure_affiliates (
    accession text NOT NULL,
    seq       integer NOT NULL,
    crd       text NOT NULL,                       -- of the adviser that files
    reference_id text,
    disclosure_type text,
    affiliate_crd text,
    kind      text,
    registered boolean,
    name      text,
    PRIMARY KEY (accession, seq)
);

-- Schedule D 7.B.(2).
CREATE TABLE catalog.sub_advised_funds (
    accession text NOT NULL,
    seq       integer NOT NULL,
    crd       text NOT NULL,
    fund_id   text,
    name      text,
    adviser_name text,
    adviser_sec_number text,
    PRIMARY KEY (accession, seq)
);

-- Schedule D 7.B.(1) items 3, 24, 25, 26, 28.
CREATE TABLE catalog.fund_providers (
    accession text NOT NULL,
    seq       integer NOT NULL,
    fund_id   text NOT NULL,
    role      text NOT NULL CHECK (role IN ('general_partner', 'prime_broker', 'custodian', 'administrator', 'marketer')),
    name      text NOT NULL,
    business_name text,
    crd       text,                                -- of the provider
    sec_number text,
    lei       text,
    city      text,
    state     text,
    country   text,
    related   boolean,
    website   text,
    PRIMARY KEY (accession, seq)
);
CREATE INDEX fund_providers_fund ON catalog.fund_providers (fund_id);

-- Schedule D 7.B.(1) items 6 and 7.
CREATE TABLE catalog.fund_feeders (
    accession text NOT NULL,
    seq       integer NOT NULL,
    fund_id   text NOT NULL,                       -- the master fund
    feeder_fund_id text,
    name      text,
    PRIMARY KEY (accession, seq)
);

-- Form ADV-W.
CREATE TABLE catalog.withdrawals (
    accession text PRIMARY KEY,                    -- ADVW-<CRD>-<FilingID>; also a row of filings
    crd       text NOT NULL,
    is_full   boolean NOT NULL,
    ceased    boolean,
    ceased_on date,
    reason    text,
    row_hash  bytea NOT NULL
);
CREATE INDEX withdrawals_crd ON catalog.withdrawals (crd);

-- Which adviser names which by its CRD number as under common control, in its newest whole form: catalog.affiliates for the
-- grouping of advisers. Derived.
CREATE TABLE catalog.adviser_links (
    crd       text NOT NULL,
    affiliate_crd text NOT NULL,
    PRIMARY KEY (crd, affiliate_crd)
);
CREATE INDEX adviser_links_affiliate ON catalog.adviser_links (affiliate_crd);

ALTER TABLE catalog.advisers ADD COLUMN withdrawn_on date; -- of the newest full ADV-W that is later than every Form ADV

-- Form D. It names no adviser, so it stands apart from catalog.filings; offering_funds joins it to funds.
CREATE TABLE catalog.offerings (
    accession text PRIMARY KEY CHECK (accession ~ '^[0-9]{10}-[0-9]{2}-[0-9]{6}$'),
    file_number text,
    form_type text NOT NULL CHECK (form_type IN ('D', 'D/A')),
    filing_date date NOT NULL,
    previous_accession text,
    chain     text NOT NULL,                       -- the least accession of the notices that belong together
    sic_code  text,
    schema_version text,
    industry_group text,
    fund_type text,
    is_40_act boolean,
    revenue_range text,
    nav_range text,
    exemptions text[],
    first_sale date,
    yet_to_occur boolean,
    over_one_year boolean,
    securities text[],
    minimum_investment bigint,
    offering_amount bigint,
    indefinite boolean NOT NULL,
    amount_sold bigint,
    amount_remaining bigint,
    non_accredited boolean,
    non_accredited_count bigint,
    investor_count bigint,
    sales_commission bigint,
    finders_fee bigint,
    gross_proceeds bigint,
    document  text NOT NULL,
    run_id    bigint NOT NULL,
    status    text NOT NULL DEFAULT 'completed' CHECK (status IN ('pending', 'completed')),
    processed_at timestamptz NOT NULL DEFAULT now(),
    row_hash  bytea NOT NULL
);
CREATE INDEX offerings_file_number ON catalog.offerings (file_number);
CREATE INDEX offerings_chain ON catalog.offerings (chain);
CREATE INDEX offerings_previous ON catalog.offerings (previous_accession) WHERE previous_accession IS NOT NULL;

CREATE TABLE catalog.offering_issuers (
    accession text NOT NULL,
    seq       integer NOT NULL,
    cik       text,
    name      text NOT NULL,
    name_key  text,                                -- the normalised name that joins go by; null = too general for that
    name_form text NOT NULL,                       -- its legal form: lp, llc, …; empty = none
    previous_names text[],
    street1   text,
    street2   text,
    city      text,
    state     text,
    state_name text,
    postal_code text,
    phone     text,
    jurisdiction text,
    entity_type text,
    year_formed integer,
    PRIMARY KEY (accession, seq)
);
CREATE INDEX offering_issuers_name ON catalog.offering_issuers (name_key);
CREATE INDEX offering_issuers_cik ON catalog.offering_issuers (cik);

CREATE TABLE catalog.offering_people (
    accession text NOT NULL,
    seq       integer NOT NULL,
    first_name text,
    middle_name text,
    last_name text NOT NULL,
    entity    boolean NOT NULL,
    city      text,
    state     text,
    country   text,
    relationships text[],
    clarification text,
    PRIMARY KEY (accession, seq)
);

CREATE TABLE catalog.offering_recipients (
    accession text NOT NULL,
    seq       integer NOT NULL,
    name      text NOT NULL,
    crd       text,
    broker_dealer text,
    broker_crd text,
    city      text,
    state     text,
    country   text,
    states    text[],
    is_foreign boolean,
    PRIMARY KEY (accession, seq)
);

-- The name keys of funds, as those of the issuers.
ALTER TABLE catalog.funds ADD COLUMN name_key text;
ALTER TABLE catalog.funds ADD COLUMN name_form text NOT NULL DEFAULT '';
CREATE INDEX funds_name_key ON catalog.funds (name_key);

-- The Form D file numbers that any filing gave for a fund (Schedule D 7.B.(1) item 22), by number.
CREATE TABLE catalog.fund_form_d_numbers (
    file_number text NOT NULL,
    fund_id     text NOT NULL,
    PRIMARY KEY (file_number, fund_id)
);
CREATE INDEX fund_form_d_numbers_fund ON catalog.fund_form_d_numbers (fund_id);

-- Which offering is of which fund, and how that is known. Derived; written anew when either side changes.
CREATE TABLE catalog.offering_funds (
    accession text NOT NULL,
    fund_id   text NOT NULL,
    matched_by text NOT NULL CHECK (matched_by IN ('file_number', 'name')),
    PRIMARY KEY (accession, fund_id)
);
CREATE INDEX offering_funds_fund ON catalog.offering_funds (fund_id);

-- What other modules may read.
CREATE VIEW catalog.pub_filing AS
SELECT accession, crd, source, form_type, amendment_type, filing_date, submitted_at, status, processed_at FROM catalog.filings;

CREATE VIEW catalog.pub_owner AS
SELECT o.*, f.filing_date, f.submitted_at FROM catalog.owners o JOIN catalog.filings f USING (accession);

CREATE VIEW catalog.pub_disclosure AS
SELECT d.*, f.filing_date, f.submitted_at FROM catalog.disclosures d JOIN catalog.filings f USING (accession);

CREATE VIEW catalog.pub_disclosure_affiliate AS
SELECT d.*, f.filing_date FROM catalog.disclosure_affiliates d JOIN catalog.filings f USING (accession);

CREATE VIEW catalog.pub_withdrawal AS
SELECT w.accession, w.crd, w.is_full, w.ceased, w.ceased_on, w.reason, f.filing_date
FROM catalog.withdrawals w JOIN catalog.filings f USING (accession);

CREATE VIEW catalog.pub_offering AS
SELECT o.accession, o.file_number, o.form_type, o.filing_date, o.first_sale, o.exemptions, o.offering_amount, o.indefinite,
       o.amount_sold, o.investor_count, o.status, o.processed_at, l.fund_id, l.matched_by, f.adviser_crd
FROM catalog.offerings o JOIN catalog.offering_funds l USING (accession) JOIN catalog.funds f USING (fund_id);

CREATE VIEW catalog.pub_offering_person AS
SELECT p.*, o.filing_date FROM catalog.offering_people p JOIN catalog.offerings o USING (accession);

-- +goose Down
DROP VIEW catalog.pub_offering_person, catalog.pub_offering, catalog.pub_withdrawal, catalog.pub_disclosure_affiliate,
    catalog.pub_disclosure, catalog.pub_owner, catalog.pub_filing;
DROP TABLE catalog.adviser_links, catalog.offering_funds, catalog.fund_form_d_numbers, catalog.offering_recipients, catalog.offering_people, catalog.offering_issuers,
    catalog.offerings, catalog.withdrawals, catalog.fund_feeders, catalog.fund_providers, catalog.sub_advised_funds,
    catalog.disclosure_affiliates, catalog.disclosures, catalog.owners, catalog.affiliates, catalog.offices, catalog.identifiers;
ALTER TABLE catalog.funds DROP COLUMN name_form;
ALTER TABLE catalog.funds DROP COLUMN name_key;
ALTER TABLE catalog.advisers DROP COLUMN withdrawn_on;
DELETE FROM catalog.adviser_versions v USING catalog.filings f WHERE f.accession = v.accession AND f.source IN ('iapd_feed', 'advw');
-- Current rows may still point at a filing of a source that goes: they must be derived anew from the rest first.
DELETE FROM catalog.filings f WHERE source IN ('iapd_feed', 'advw')
    AND NOT EXISTS (SELECT 1 FROM catalog.advisers a WHERE a.latest_accession = f.accession);
UPDATE catalog.filings SET source = 'roster' WHERE source IN ('iapd_feed', 'advw');
ALTER TABLE catalog.filings DROP CONSTRAINT filings_source_check;
ALTER TABLE catalog.filings ADD CONSTRAINT filings_source_check CHECK (source IN ('fund_list', 'roster', 'adv_archive'));
ALTER TABLE catalog.adviser_versions ADD CONSTRAINT adviser_versions_accession_fkey FOREIGN KEY (accession) REFERENCES catalog.filings (accession);
ALTER TABLE catalog.fund_versions ADD CONSTRAINT fund_versions_accession_fkey FOREIGN KEY (accession) REFERENCES catalog.filings (accession);
