-- The schema that the migrations add up to. Written by `make schema`; do not edit.

CREATE SCHEMA catalog;

CREATE SCHEMA dataops;

CREATE SCHEMA platform;

CREATE TABLE catalog.adviser_versions (
    crd text NOT NULL,
    accession text NOT NULL,
    legal_name text NOT NULL,
    business_name text,
    sec_number text,
    registration text,
    sec_status text,
    status_date date,
    street1 text,
    street2 text,
    city text,
    state text,
    country text,
    postal_code text,
    private_residence boolean,
    phone text,
    website text,
    lei text,
    form_version text,
    employee_count bigint,
    raum bigint,
    raum_discretionary bigint,
    raum_non_discretionary bigint,
    org_form text,
    fiscal_year_end text,
    org_state text,
    org_country text,
    advises_funds boolean,
    reported_fund_count bigint,
    reported_fund_gav bigint,
    row_hash bytea NOT NULL,
    CONSTRAINT adviser_versions_registration_check CHECK ((registration = ANY (ARRAY['registered'::text, 'exempt_reporting'::text])))
);

CREATE TABLE catalog.advisers (
    crd text NOT NULL,
    legal_name text NOT NULL,
    business_name text,
    sec_number text,
    registration_status text,
    sec_status text,
    registered_on date,
    street1 text,
    street2 text,
    city text,
    state text,
    country text,
    country_code text,
    postal_code text,
    private_residence boolean,
    phone text,
    website text,
    website_domain text,
    lei text,
    employee_count bigint,
    raum bigint,
    raum_discretionary bigint,
    raum_non_discretionary bigint,
    org_form text,
    fiscal_year_end text,
    org_state text,
    org_country text,
    advises_funds boolean,
    total_aum bigint,
    primary_strategy text,
    manager_type text,
    fund_count bigint,
    total_gav bigint,
    total_investors bigint,
    founded_year integer,
    canonical_gp_id bigint NOT NULL,
    name_stem text NOT NULL,
    first_filed_on date NOT NULL,
    latest_accession text NOT NULL,
    latest_form_type text NOT NULL,
    latest_filed_on date NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT advisers_country_code_check CHECK ((country_code ~ '^[A-Z]{2}$'::text)),
    CONSTRAINT advisers_crd_check CHECK ((crd ~ '^[1-9][0-9]{0,9}$'::text)),
    CONSTRAINT advisers_manager_type_check CHECK ((manager_type = ANY (ARRAY['pe_vc'::text, 'hedge_fund'::text, 'real_estate'::text, 'other'::text]))),
    CONSTRAINT advisers_registration_status_check CHECK ((registration_status = ANY (ARRAY['registered'::text, 'exempt_reporting'::text])))
);

CREATE TABLE catalog.filings (
    accession text NOT NULL,
    crd text NOT NULL,
    source text NOT NULL,
    filing_id bigint,
    form_type text NOT NULL,
    amendment_type text NOT NULL,
    filing_date date NOT NULL,
    submitted_at timestamp with time zone NOT NULL,
    filing_types text[],
    funds_listed boolean NOT NULL,
    document text NOT NULL,
    run_id bigint NOT NULL,
    status text DEFAULT 'completed'::text NOT NULL,
    processed_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT filings_amendment_type_check CHECK ((amendment_type = ANY (ARRAY['initial'::text, 'annual'::text, 'material'::text, 'withdrawal'::text]))),
    CONSTRAINT filings_crd_check CHECK ((crd ~ '^[1-9][0-9]{0,9}$'::text)),
    CONSTRAINT filings_form_type_check CHECK ((form_type = ANY (ARRAY['ADV'::text, 'ADV/A'::text, 'ADV-W'::text, 'D'::text, 'D/A'::text]))),
    CONSTRAINT filings_source_check CHECK ((source = ANY (ARRAY['fund_list'::text, 'roster'::text, 'adv_archive'::text]))),
    CONSTRAINT filings_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'completed'::text])))
);

CREATE TABLE catalog.fund_versions (
    fund_id text NOT NULL,
    accession text NOT NULL,
    crd text NOT NULL,
    reference_id text,
    name text NOT NULL,
    state text,
    country text,
    is_3c1 boolean,
    is_3c7 boolean,
    is_master boolean,
    is_feeder boolean,
    master_fund_name text,
    master_fund_id text,
    is_fund_of_funds boolean,
    fund_type text,
    fund_type_other text,
    gross_asset_value bigint,
    minimum_investment bigint,
    beneficial_owners_count bigint,
    pct_owned_related double precision,
    pct_owned_funds double precision,
    pct_owned_non_us double precision,
    annual_audit boolean,
    gaap boolean,
    unqualified_opinion text,
    auditors text[],
    form_d_file_numbers text[],
    row_hash bytea NOT NULL,
    CONSTRAINT fund_versions_fund_id_check CHECK ((fund_id ~ '^805-[0-9]{10}$'::text))
);

CREATE TABLE catalog.funds (
    id bigint NOT NULL,
    fund_id text NOT NULL,
    adviser_crd text NOT NULL,
    name text NOT NULL,
    state text,
    country text,
    jurisdiction text,
    country_code text,
    is_3c1 boolean,
    is_3c7 boolean,
    is_master boolean,
    is_feeder boolean,
    master_fund_name text,
    master_fund_id text,
    is_fund_of_funds boolean,
    fund_type text,
    fund_type_other text,
    gross_asset_value bigint,
    minimum_investment bigint,
    beneficial_owners_count bigint,
    pct_owned_related double precision,
    pct_owned_funds double precision,
    pct_owned_non_us double precision,
    annual_audit boolean,
    gaap boolean,
    unqualified_opinion text,
    auditors text[],
    form_d_file_numbers text[],
    strategy text NOT NULL,
    vintage_year integer NOT NULL,
    vintage_source text NOT NULL,
    exemptions text[],
    status text NOT NULL,
    peak_gav bigint,
    first_filed_on date NOT NULL,
    latest_accession text NOT NULL,
    latest_form_type text NOT NULL,
    latest_filed_on date NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT funds_country_code_check CHECK ((country_code ~ '^[A-Z]{2}$'::text)),
    CONSTRAINT funds_fund_id_check CHECK ((fund_id ~ '^805-[0-9]{10}$'::text)),
    CONSTRAINT funds_status_check CHECK ((status = ANY (ARRAY['active'::text, 'liquidating'::text, 'closed'::text]))),
    CONSTRAINT funds_vintage_source_check CHECK ((vintage_source = ANY (ARRAY['form_d_first_sale'::text, 'first_filing'::text])))
);

ALTER TABLE catalog.funds ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME catalog.funds_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE VIEW catalog.pub_fund AS
 SELECT id,
    fund_id,
    adviser_crd,
    name,
    strategy,
    vintage_year,
    gross_asset_value,
    status,
    first_filed_on,
    latest_filed_on
   FROM catalog.funds;

CREATE VIEW catalog.pub_gp AS
 SELECT crd,
    canonical_gp_id,
    legal_name,
    business_name,
    city,
    state,
    country,
    country_code,
    registration_status,
    total_aum,
    primary_strategy,
    employee_count,
    fund_count,
    website,
    latest_filed_on
   FROM catalog.advisers;

CREATE TABLE catalog.publications (
    seq bigint NOT NULL,
    run_id bigint NOT NULL,
    reason text NOT NULL,
    published_at timestamp with time zone DEFAULT now() NOT NULL
);

ALTER TABLE catalog.publications ALTER COLUMN seq ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME catalog.publications_seq_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE dataops.ingestion_runs (
    id bigint NOT NULL,
    source text NOT NULL,
    document text NOT NULL,
    location text NOT NULL,
    sha256 text,
    bytes bigint,
    state text NOT NULL,
    started_at timestamp with time zone DEFAULT now() NOT NULL,
    finished_at timestamp with time zone,
    rows_read bigint DEFAULT 0 NOT NULL,
    filings_new bigint DEFAULT 0 NOT NULL,
    filings_changed bigint DEFAULT 0 NOT NULL,
    filings_unchanged bigint DEFAULT 0 NOT NULL,
    advisers_new bigint DEFAULT 0 NOT NULL,
    advisers_changed bigint DEFAULT 0 NOT NULL,
    advisers_unchanged bigint DEFAULT 0 NOT NULL,
    funds_new bigint DEFAULT 0 NOT NULL,
    funds_changed bigint DEFAULT 0 NOT NULL,
    funds_unchanged bigint DEFAULT 0 NOT NULL,
    quarantined bigint DEFAULT 0 NOT NULL,
    error text,
    CONSTRAINT ingestion_runs_check CHECK (((state = 'running'::text) = (finished_at IS NULL))),
    CONSTRAINT ingestion_runs_state_check CHECK ((state = ANY (ARRAY['running'::text, 'completed'::text, 'failed'::text])))
);

ALTER TABLE dataops.ingestion_runs ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME dataops.ingestion_runs_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE dataops.quarantine (
    id bigint NOT NULL,
    run_id bigint NOT NULL,
    file text NOT NULL,
    line bigint NOT NULL,
    reason text NOT NULL,
    raw text NOT NULL
);

ALTER TABLE dataops.quarantine ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME dataops.quarantine_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE platform.outbox (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    type text NOT NULL,
    payload jsonb NOT NULL,
    task_id text,
    run_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    last_error text
);

ALTER TABLE ONLY catalog.adviser_versions
    ADD CONSTRAINT adviser_versions_pkey PRIMARY KEY (crd, accession);

ALTER TABLE ONLY catalog.advisers
    ADD CONSTRAINT advisers_pkey PRIMARY KEY (crd);

ALTER TABLE ONLY catalog.filings
    ADD CONSTRAINT filings_pkey PRIMARY KEY (accession);

ALTER TABLE ONLY catalog.fund_versions
    ADD CONSTRAINT fund_versions_pkey PRIMARY KEY (fund_id, accession);

ALTER TABLE ONLY catalog.funds
    ADD CONSTRAINT funds_fund_id_key UNIQUE (fund_id);

ALTER TABLE ONLY catalog.funds
    ADD CONSTRAINT funds_pkey PRIMARY KEY (id);

ALTER TABLE ONLY catalog.publications
    ADD CONSTRAINT publications_pkey PRIMARY KEY (seq);

ALTER TABLE ONLY dataops.ingestion_runs
    ADD CONSTRAINT ingestion_runs_pkey PRIMARY KEY (id);

ALTER TABLE ONLY dataops.quarantine
    ADD CONSTRAINT quarantine_pkey PRIMARY KEY (id);

ALTER TABLE ONLY platform.outbox
    ADD CONSTRAINT outbox_pkey PRIMARY KEY (id);

CREATE INDEX advisers_canonical ON catalog.advisers USING btree (canonical_gp_id);

CREATE INDEX advisers_domain_stem ON catalog.advisers USING btree (website_domain, name_stem);

CREATE INDEX filings_crd_date ON catalog.filings USING btree (crd, filing_date DESC);

CREATE INDEX filings_date_source ON catalog.filings USING btree (filing_date, source);

CREATE INDEX fund_versions_accession ON catalog.fund_versions USING btree (accession);

CREATE INDEX funds_adviser ON catalog.funds USING btree (adviser_crd);

CREATE INDEX ingestion_runs_started ON dataops.ingestion_runs USING btree (started_at DESC);

CREATE INDEX quarantine_run ON dataops.quarantine USING btree (run_id);

CREATE INDEX outbox_created ON platform.outbox USING btree (created_at);

ALTER TABLE ONLY catalog.adviser_versions
    ADD CONSTRAINT adviser_versions_accession_fkey FOREIGN KEY (accession) REFERENCES catalog.filings(accession);

ALTER TABLE ONLY catalog.advisers
    ADD CONSTRAINT advisers_latest_accession_fkey FOREIGN KEY (latest_accession) REFERENCES catalog.filings(accession);

ALTER TABLE ONLY catalog.fund_versions
    ADD CONSTRAINT fund_versions_accession_fkey FOREIGN KEY (accession) REFERENCES catalog.filings(accession);

ALTER TABLE ONLY catalog.funds
    ADD CONSTRAINT funds_adviser_crd_fkey FOREIGN KEY (adviser_crd) REFERENCES catalog.advisers(crd);

ALTER TABLE ONLY catalog.funds
    ADD CONSTRAINT funds_latest_accession_fkey FOREIGN KEY (latest_accession) REFERENCES catalog.filings(accession);

ALTER TABLE ONLY dataops.quarantine
    ADD CONSTRAINT quarantine_run_id_fkey FOREIGN KEY (run_id) REFERENCES dataops.ingestion_runs(id);
