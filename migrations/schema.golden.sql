-- The schema that the migrations add up to. Written by `make schema`; do not edit.

CREATE SCHEMA accounts;

CREATE SCHEMA analytics;

CREATE SCHEMA billing;

CREATE SCHEMA catalog;

CREATE SCHEMA dataops;

CREATE SCHEMA feed;

CREATE SCHEMA keys;

CREATE SCHEMA notifications;

CREATE SCHEMA people;

CREATE SCHEMA platform;

CREATE TYPE catalog.version_order AS (
	filing_date date,
	authority integer,
	submitted_at timestamp with time zone,
	filing_id bigint,
	accession text COLLATE pg_catalog."C"
);

CREATE FUNCTION accounts.announce_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    PERFORM pg_notify('accounts_changed', OLD.id::text);
    RETURN NULL;
END
$$;

CREATE FUNCTION billing.refuse_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    RAISE EXCEPTION 'billing.charges is append-only: correct a charge with an adjustment (gpatlas billing adjust)';
END $$;

CREATE FUNCTION billing.spent_in(month date, period date, spent_micros bigint) RETURNS bigint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN (period < month) THEN (0)::bigint ELSE spent_micros END;

CREATE FUNCTION catalog.authority(source text) RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE source WHEN 'fund_list'::text THEN 0 WHEN 'roster'::text THEN 1 WHEN 'iapd_feed'::text THEN 2 ELSE 3 END;

CREATE FUNCTION catalog.current_arrival() RETURNS bigint
    LANGUAGE sql STABLE
    RETURN COALESCE((NULLIF(current_setting('catalog.arrival'::text, true), ''::text))::bigint, (0)::bigint);

CREATE FUNCTION catalog.current_processing() RETURNS timestamp with time zone
    LANGUAGE sql STABLE
    RETURN COALESCE((NULLIF(current_setting('catalog.processed_at'::text, true), ''::text))::timestamp with time zone, now());

CREATE FUNCTION catalog.order_version(source text, filing_date date, submitted_at timestamp with time zone, filing_id bigint, accession text) RETURNS catalog.version_order
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ROW(filing_date, catalog.authority(source), submitted_at, COALESCE(filing_id, (0)::bigint), accession)::catalog.version_order;

CREATE FUNCTION catalog.pub_event(manager text) RETURNS TABLE(type text, event_date timestamp with time zone, what text, key text, day date, processed_at timestamp with time zone, arrival bigint)
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
    SELECT 'new_filing', f.submitted_at, f.form_type, f.accession, f.filing_date, f.processed_at, f.arrival
    FROM catalog.pub_filing f
    WHERE f.crd = manager AND f.source = 'adv_archive' AND f.form_type IN ('ADV', 'ADV/A') AND f.status = 'completed'
    UNION ALL
    SELECT 'new_filing', o.filing_date::timestamp AT TIME ZONE 'UTC', o.form_type, o.accession, o.filing_date, o.processed_at, min(o.arrival)
    FROM catalog.pub_offering o
    WHERE o.adviser_crd = manager AND o.status = 'completed'
    GROUP BY o.filing_date, o.form_type, o.accession, o.processed_at
    UNION ALL
    SELECT 'new_fund', f.first_filed_on::timestamp AT TIME ZONE 'UTC', f.name, f.fund_id, f.first_filed_on, NULL, f.arrival
    FROM catalog.pub_fund f
    WHERE f.adviser_crd = manager
$$;

CREATE FUNCTION people.unit_of(person text) RETURNS text
    LANGUAGE sql STABLE
    AS $$
    -- What a purchase of a person is of now.
    SELECT coalesce((SELECT u.unit FROM people.units u WHERE u.uid = person ORDER BY u.n DESC LIMIT 1), person)
$$;

CREATE FUNCTION people.units_of(person text) RETURNS text[]
    LANGUAGE sql STABLE
    AS $$
    -- What else entitles to a person: purchases under former uids, and those from before a split.
    SELECT ARRAY(
        SELECT a.uid FROM people.aliases a WHERE a.person_uid = person
        UNION SELECT o.former_uid FROM people.origins o
        WHERE o.uid = person OR o.uid IN (SELECT a.uid FROM people.aliases a WHERE a.person_uid = person)
        ORDER BY 1
    )
$$;

CREATE TABLE accounts.attempts (
    id bigint NOT NULL,
    kind text NOT NULL,
    subject bytea NOT NULL,
    at timestamp with time zone NOT NULL,
    CONSTRAINT attempts_kind_check CHECK ((kind = ANY (ARRAY['login_pair'::text, 'login_ip'::text, 'login_email'::text, 'verify'::text, 'forgot'::text, 'forgot_refused'::text, 'export'::text, 'mail_ip'::text])))
);

ALTER TABLE accounts.attempts ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME accounts.attempts_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE accounts.collection_items (
    collection_id uuid NOT NULL,
    adviser_crd text NOT NULL,
    added_at timestamp with time zone NOT NULL
);

CREATE TABLE accounts.collections (
    id uuid NOT NULL,
    user_id bigint NOT NULL,
    name text NOT NULL,
    name_key text NOT NULL,
    description text,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL
);

CREATE TABLE accounts.mail_tokens (
    hash bytea NOT NULL,
    user_id bigint NOT NULL,
    purpose text NOT NULL,
    email_key text NOT NULL,
    issued_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    used_at timestamp with time zone,
    CONSTRAINT mail_tokens_purpose_check CHECK ((purpose = ANY (ARRAY['verify'::text, 'reset'::text])))
);

CREATE TABLE accounts.users (
    id bigint NOT NULL,
    email text NOT NULL,
    email_key text NOT NULL,
    full_name text NOT NULL,
    company text,
    job_title text,
    use_case text,
    marketing_consent boolean DEFAULT false NOT NULL,
    password_hash text NOT NULL,
    email_verified_at timestamp with time zone,
    tier text NOT NULL,
    school text,
    graduation_year integer,
    subscription_plan text NOT NULL,
    api_tier text NOT NULL,
    trial_ends_at timestamp with time zone,
    trial_noticed_at timestamp with time zone,
    onboarding_step integer DEFAULT 1 NOT NULL,
    onboarding_completed boolean DEFAULT false NOT NULL,
    is_admin boolean DEFAULT false NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    last_login_at timestamp with time zone,
    deleted_at timestamp with time zone,
    api_tier_subscribed boolean DEFAULT false NOT NULL,
    CONSTRAINT users_api_tier_check CHECK ((api_tier = ANY (ARRAY['starter'::text, 'growth'::text, 'scale'::text]))),
    CONSTRAINT users_onboarding_step_check CHECK (((onboarding_step >= 1) AND (onboarding_step <= 3))),
    CONSTRAINT users_subscription_plan_check CHECK ((subscription_plan = ANY (ARRAY['free'::text, 'starter'::text, 'pro'::text, 'enterprise'::text])))
);

CREATE VIEW accounts.pub_account AS
 SELECT id,
    email,
    full_name,
    (email_verified_at IS NOT NULL) AS email_verified,
    tier,
    subscription_plan,
    api_tier,
    trial_ends_at,
    is_admin,
    created_at
   FROM accounts.users
  WHERE (deleted_at IS NULL);

CREATE VIEW accounts.pub_collection_item AS
 SELECT c.user_id,
    c.id AS collection_id,
    i.adviser_crd
   FROM (accounts.collections c
     LEFT JOIN accounts.collection_items i ON ((i.collection_id = c.id)));

CREATE TABLE accounts.saved_searches (
    id uuid NOT NULL,
    user_id bigint NOT NULL,
    name text NOT NULL,
    filters jsonb NOT NULL,
    last_run_at timestamp with time zone,
    last_match_count bigint,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    CONSTRAINT saved_searches_check CHECK (((last_match_count IS NULL) = (last_run_at IS NULL))),
    CONSTRAINT saved_searches_filters_check CHECK ((jsonb_typeof(filters) = 'object'::text))
);

CREATE VIEW accounts.pub_saved_search AS
 SELECT id,
    user_id,
    name,
    filters,
    md5((filters)::text) AS hash
   FROM accounts.saved_searches;

CREATE TABLE accounts.watchlist_items (
    id uuid NOT NULL,
    user_id bigint NOT NULL,
    adviser_crd text NOT NULL,
    canonical_gp_id bigint NOT NULL,
    alert_enabled boolean DEFAULT true NOT NULL,
    created_at timestamp with time zone NOT NULL
);

CREATE VIEW accounts.pub_watch AS
 SELECT user_id,
    adviser_crd,
    alert_enabled,
    created_at
   FROM accounts.watchlist_items;

CREATE TABLE accounts.refresh_tokens (
    hash bytea NOT NULL,
    session_id text NOT NULL,
    issued_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    used_at timestamp with time zone
);

CREATE TABLE accounts.sessions (
    id text NOT NULL,
    user_id bigint NOT NULL,
    device text NOT NULL,
    ip_address text NOT NULL,
    location text,
    created_at timestamp with time zone NOT NULL,
    last_active timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone,
    ended_by text,
    browser_hash bytea,
    CONSTRAINT sessions_browser_hash_check CHECK ((length(browser_hash) = 32)),
    CONSTRAINT sessions_ended_by_check CHECK ((ended_by = ANY (ARRAY['logout'::text, 'login'::text, 'user'::text, 'password'::text, 'deletion'::text, 'reuse'::text, 'operator'::text]))),
    CONSTRAINT sessions_id_check CHECK ((id ~~ 'sess\_%'::text))
);

CREATE TABLE accounts.survey_answers (
    user_id bigint NOT NULL,
    month date NOT NULL,
    answers jsonb NOT NULL,
    answered_at timestamp with time zone NOT NULL,
    CONSTRAINT survey_answers_month_check CHECK ((EXTRACT(day FROM month) = (1)::numeric))
);

ALTER TABLE accounts.users ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME accounts.users_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE analytics.regulatory_answers (
    crd text NOT NULL,
    provider text NOT NULL,
    edition text NOT NULL,
    answer jsonb NOT NULL,
    checked_at timestamp with time zone NOT NULL
);

CREATE TABLE billing.accounts (
    user_id bigint NOT NULL,
    period date NOT NULL,
    spent_micros bigint DEFAULT 0 NOT NULL,
    cap_micros bigint,
    thresholds smallint[] DEFAULT '{80,100}'::smallint[] NOT NULL,
    one_click_enabled boolean DEFAULT true NOT NULL,
    one_click_threshold_micros bigint DEFAULT 25000000 NOT NULL,
    email_receipts boolean DEFAULT true NOT NULL,
    weekly_digest boolean DEFAULT false NOT NULL,
    backed boolean DEFAULT false NOT NULL,
    stripe_customer text,
    CONSTRAINT accounts_cap_micros_check CHECK ((cap_micros >= 0)),
    CONSTRAINT accounts_period_check CHECK ((EXTRACT(day FROM period) = (1)::numeric))
)
WITH (fillfactor='50');

CREATE TABLE billing.alerts (
    user_id bigint NOT NULL,
    period date NOT NULL,
    threshold smallint NOT NULL,
    cap_micros bigint NOT NULL,
    spent_micros bigint NOT NULL,
    crossed_at timestamp with time zone NOT NULL,
    queued_at timestamp with time zone
);

CREATE SEQUENCE billing.charge_ids
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

CREATE TABLE billing.charges (
    id bigint DEFAULT nextval('billing.charge_ids'::regclass) NOT NULL,
    period date NOT NULL,
    at timestamp with time zone NOT NULL,
    user_id bigint NOT NULL,
    key_id uuid,
    operation text NOT NULL,
    subject text NOT NULL,
    crd text,
    product text,
    quantity integer NOT NULL,
    unit_micros bigint NOT NULL,
    amount_micros bigint NOT NULL,
    mode text NOT NULL,
    request_id text NOT NULL,
    reason text,
    CONSTRAINT charges_check CHECK (((mode = 'live'::text) OR (amount_micros = 0))),
    CONSTRAINT charges_mode_check CHECK ((mode = ANY (ARRAY['live'::text, 'test'::text])))
)
PARTITION BY RANGE (period);

CREATE TABLE billing.charges_rest (
    id bigint DEFAULT nextval('billing.charge_ids'::regclass) NOT NULL,
    period date NOT NULL,
    at timestamp with time zone NOT NULL,
    user_id bigint NOT NULL,
    key_id uuid,
    operation text NOT NULL,
    subject text NOT NULL,
    crd text,
    product text,
    quantity integer NOT NULL,
    unit_micros bigint NOT NULL,
    amount_micros bigint NOT NULL,
    mode text NOT NULL,
    request_id text NOT NULL,
    reason text,
    CONSTRAINT charges_check CHECK (((mode = 'live'::text) OR (amount_micros = 0))),
    CONSTRAINT charges_mode_check CHECK ((mode = ANY (ARRAY['live'::text, 'test'::text])))
);

CREATE TABLE billing.collections (
    user_id bigint NOT NULL,
    period date NOT NULL,
    amount_micros bigint NOT NULL,
    invoice_item text,
    at timestamp with time zone NOT NULL
);

CREATE TABLE billing.dunning (
    invoice text NOT NULL,
    step smallint NOT NULL,
    taken_at timestamp with time zone NOT NULL
);

CREATE TABLE billing.entitlements (
    user_id bigint NOT NULL,
    product text NOT NULL,
    unit text NOT NULL,
    charge_id bigint NOT NULL,
    amount_micros bigint NOT NULL
);

CREATE TABLE billing.executions (
    id uuid NOT NULL,
    user_id bigint NOT NULL,
    charge_id bigint,
    amount_micros bigint NOT NULL,
    new_units integer NOT NULL,
    at timestamp with time zone NOT NULL
);

CREATE TABLE billing.payments (
    invoice text NOT NULL,
    customer text NOT NULL,
    subscription text,
    user_id bigint,
    status text NOT NULL,
    amount_cents bigint NOT NULL,
    currency text NOT NULL,
    failed_at timestamp with time zone,
    paid_at timestamp with time zone,
    page text,
    last_event timestamp with time zone NOT NULL,
    CONSTRAINT payments_status_check CHECK ((status = ANY (ARRAY['paid'::text, 'failed'::text])))
);

CREATE TABLE billing.subscriptions (
    id text NOT NULL,
    customer text NOT NULL,
    user_id bigint,
    status text NOT NULL,
    plan text,
    api_tier text,
    period_start timestamp with time zone,
    period_end timestamp with time zone,
    cancel_at_period_end boolean DEFAULT false NOT NULL,
    checkout_completed boolean DEFAULT false NOT NULL,
    deleted boolean DEFAULT false NOT NULL,
    last_event timestamp with time zone
);

CREATE VIEW billing.overdue AS
 SELECT p.invoice,
    p.customer,
    p.subscription,
    p.user_id,
    p.amount_cents,
    p.currency,
    p.page,
    p.failed_at
   FROM (billing.payments p
     LEFT JOIN billing.subscriptions s ON ((s.id = p.subscription)))
  WHERE ((p.status = 'failed'::text) AND ((s.id IS NULL) OR ((NOT s.deleted) AND ((s.status <> 'incomplete'::text) OR s.checkout_completed))) AND (((s.status = ANY (ARRAY['active'::text, 'trialing'::text])) AND (s.last_event > p.last_event)) IS NOT TRUE) AND (NOT (EXISTS ( SELECT
           FROM billing.payments later
          WHERE ((later.subscription = p.subscription) AND (later.status = 'paid'::text) AND (later.paid_at > p.failed_at))))));

CREATE TABLE billing.places (
    user_id bigint NOT NULL,
    product text NOT NULL,
    place text NOT NULL
);

CREATE TABLE billing.receipt_lines (
    charge_id bigint NOT NULL,
    user_id bigint NOT NULL,
    bought_at timestamp with time zone NOT NULL,
    made_at timestamp with time zone
);

CREATE TABLE billing.stripe_events (
    id text NOT NULL,
    type text NOT NULL,
    object text NOT NULL,
    created timestamp with time zone NOT NULL,
    state text NOT NULL,
    received_at timestamp with time zone NOT NULL,
    CONSTRAINT stripe_events_state_check CHECK ((state = ANY (ARRAY['applied'::text, 'stale'::text, 'ignored'::text])))
);

CREATE TABLE catalog.adviser_histories (
    crd text NOT NULL COLLATE pg_catalog."C",
    encoding smallint NOT NULL,
    states bytea NOT NULL,
    funds bytea NOT NULL,
    sources bytea NOT NULL,
    fund_sources bytea NOT NULL
);

CREATE TABLE catalog.adviser_links (
    crd text NOT NULL COLLATE pg_catalog."C",
    affiliate_crd text NOT NULL COLLATE pg_catalog."C"
);

CREATE TABLE catalog.adviser_versions (
    crd text NOT NULL COLLATE pg_catalog."C",
    accession text NOT NULL COLLATE pg_catalog."C",
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
    silent text[],
    kept jsonb,
    reported_fund_types jsonb,
    CONSTRAINT adviser_versions_registration_check CHECK ((registration = ANY (ARRAY['registered'::text, 'exempt_reporting'::text])))
);

CREATE TABLE catalog.advisers (
    crd text NOT NULL COLLATE pg_catalog."C",
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
    latest_accession text NOT NULL COLLATE pg_catalog."C",
    latest_form_type text NOT NULL,
    latest_filed_on date NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    withdrawn_on date,
    founded_year_basis text,
    not_listed_since date,
    newest_filed_on date NOT NULL,
    net_gav bigint,
    aum_growth_1y bigint,
    aum_before_1y bigint,
    aum_from_1y date,
    aum_growth_2y bigint,
    aum_before_2y bigint,
    aum_from_2y date,
    aum_growth_3y bigint,
    aum_before_3y bigint,
    aum_from_3y date,
    aum_growth_5y bigint,
    aum_before_5y bigint,
    aum_from_5y date,
    aum_latest bigint,
    aum_to date,
    aum_growth_reasons smallint DEFAULT 0 NOT NULL,
    CONSTRAINT advisers_country_code_check CHECK ((country_code ~ '^[A-Z]{2}$'::text)),
    CONSTRAINT advisers_crd_check CHECK ((crd ~ '^[1-9][0-9]{0,9}$'::text)),
    CONSTRAINT advisers_founded_year_basis_check CHECK ((founded_year_basis = ANY (ARRAY['registration'::text, 'first_filing'::text, 'override'::text]))),
    CONSTRAINT advisers_manager_type_check CHECK ((manager_type = ANY (ARRAY['pe_vc'::text, 'hedge_fund'::text, 'real_estate'::text, 'other'::text]))),
    CONSTRAINT advisers_registration_status_check CHECK ((registration_status = ANY (ARRAY['registered'::text, 'exempt_reporting'::text])))
);

CREATE TABLE catalog.affiliates (
    accession text NOT NULL COLLATE pg_catalog."C",
    seq integer NOT NULL,
    crd text NOT NULL COLLATE pg_catalog."C",
    reference_id text COLLATE pg_catalog."C",
    legal_name text,
    business_name text,
    sec_number text,
    affiliate_crd text COLLATE pg_catalog."C",
    types text[],
    controls boolean,
    common_control boolean
);

CREATE SEQUENCE catalog.arrival_numbers
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

CREATE TABLE catalog.arrivals (
    arrival bigint NOT NULL,
    known_at timestamp with time zone NOT NULL,
    processed_at timestamp with time zone NOT NULL
);

CREATE TABLE catalog.changed_advisers (
    arrival bigint NOT NULL,
    crd text NOT NULL COLLATE pg_catalog."C"
);

CREATE TABLE catalog.compared_advisers (
    crd text NOT NULL COLLATE pg_catalog."C",
    state bytea NOT NULL
);

CREATE TABLE catalog.comparisons (
    form text NOT NULL,
    arrival bigint NOT NULL
);

CREATE TABLE catalog.disclosure_affiliates (
    accession text NOT NULL COLLATE pg_catalog."C",
    seq integer NOT NULL,
    crd text NOT NULL COLLATE pg_catalog."C",
    reference_id text COLLATE pg_catalog."C",
    disclosure_type text,
    affiliate_crd text COLLATE pg_catalog."C",
    kind text,
    registered boolean,
    name text
);

CREATE TABLE catalog.disclosures (
    accession text NOT NULL COLLATE pg_catalog."C",
    seq integer NOT NULL,
    crd text NOT NULL COLLATE pg_catalog."C",
    family text NOT NULL,
    reference_id text COLLATE pg_catalog."C",
    amended boolean,
    items text[],
    filed_against text,
    initiated_by text,
    initiator_type text,
    court text,
    case_number text,
    event_date date,
    product text,
    allegations text,
    felony boolean,
    status text,
    resolution text,
    resolution_date date,
    sanctions text[],
    monetary_amount bigint,
    sanction_detail text,
    summary text,
    CONSTRAINT disclosures_family_check CHECK ((family = ANY (ARRAY['criminal'::text, 'regulatory'::text, 'civil_judicial'::text])))
);

CREATE TABLE catalog.editions (
    series text NOT NULL,
    day date NOT NULL,
    processed_at timestamp with time zone DEFAULT catalog.current_processing() NOT NULL
);

CREATE TABLE catalog.exports (
    id bigint NOT NULL,
    user_id bigint NOT NULL,
    type text NOT NULL,
    format text NOT NULL,
    request jsonb NOT NULL,
    row_count integer NOT NULL,
    total integer NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT exports_format_check CHECK ((format = ANY (ARRAY['csv'::text, 'ndjson'::text]))),
    CONSTRAINT exports_type_check CHECK ((type = ANY (ARRAY['gps'::text, 'funds'::text])))
);

ALTER TABLE catalog.exports ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME catalog.exports_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE catalog.filings (
    accession text NOT NULL COLLATE pg_catalog."C",
    crd text NOT NULL COLLATE pg_catalog."C",
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
    processed_at timestamp with time zone DEFAULT catalog.current_processing() NOT NULL,
    edition date,
    arrival bigint DEFAULT catalog.current_arrival() NOT NULL,
    CONSTRAINT filings_amendment_type_check CHECK ((amendment_type = ANY (ARRAY['initial'::text, 'annual'::text, 'material'::text, 'withdrawal'::text]))),
    CONSTRAINT filings_crd_check CHECK ((crd ~ '^[1-9][0-9]{0,9}$'::text)),
    CONSTRAINT filings_form_type_check CHECK ((form_type = ANY (ARRAY['ADV'::text, 'ADV/A'::text, 'ADV-W'::text, 'D'::text, 'D/A'::text]))),
    CONSTRAINT filings_source_check CHECK ((source = ANY (ARRAY['fund_list'::text, 'roster'::text, 'iapd_feed'::text, 'adv_archive'::text, 'advw'::text]))),
    CONSTRAINT filings_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'completed'::text])))
);

CREATE TABLE catalog.fund_feeders (
    accession text NOT NULL COLLATE pg_catalog."C",
    seq integer NOT NULL,
    fund_id text NOT NULL COLLATE pg_catalog."C",
    feeder_fund_id text COLLATE pg_catalog."C",
    name text
);

CREATE TABLE catalog.fund_form_d_numbers (
    file_number text NOT NULL COLLATE pg_catalog."C",
    fund_id text NOT NULL COLLATE pg_catalog."C"
);

CREATE TABLE catalog.fund_former_names (
    name_key text NOT NULL COLLATE pg_catalog."C",
    fund_id text NOT NULL COLLATE pg_catalog."C"
);

CREATE TABLE catalog.fund_providers (
    accession text NOT NULL COLLATE pg_catalog."C",
    seq integer NOT NULL,
    fund_id text NOT NULL COLLATE pg_catalog."C",
    role text NOT NULL,
    name text NOT NULL,
    business_name text,
    crd text COLLATE pg_catalog."C",
    sec_number text,
    lei text,
    city text,
    state text,
    country text,
    related boolean,
    website text,
    CONSTRAINT fund_providers_role_check CHECK ((role = ANY (ARRAY['general_partner'::text, 'prime_broker'::text, 'custodian'::text, 'administrator'::text, 'marketer'::text])))
);

CREATE TABLE catalog.fund_services (
    fund_id text NOT NULL COLLATE pg_catalog."C",
    stated smallint NOT NULL,
    services integer[] NOT NULL
);

CREATE TABLE catalog.fund_versions (
    fund_id text NOT NULL COLLATE pg_catalog."C",
    accession text NOT NULL COLLATE pg_catalog."C",
    crd text NOT NULL COLLATE pg_catalog."C",
    reference_id text COLLATE pg_catalog."C",
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
    silent text[],
    CONSTRAINT fund_versions_fund_id_check CHECK ((fund_id ~ '^805-[0-9]{10}$'::text))
);

CREATE TABLE catalog.funds (
    id bigint NOT NULL,
    fund_id text NOT NULL COLLATE pg_catalog."C",
    adviser_crd text NOT NULL COLLATE pg_catalog."C",
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
    exemptions text[],
    status text NOT NULL,
    peak_gav bigint,
    first_filed_on date NOT NULL,
    latest_accession text NOT NULL COLLATE pg_catalog."C",
    latest_form_type text NOT NULL,
    latest_filed_on date NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    name_key text COLLATE pg_catalog."C",
    name_form text DEFAULT ''::text NOT NULL,
    arrival bigint DEFAULT catalog.current_arrival() NOT NULL,
    vintage_quality text NOT NULL,
    closed_on date,
    offered_on date,
    CONSTRAINT funds_country_code_check CHECK ((country_code ~ '^[A-Z]{2}$'::text)),
    CONSTRAINT funds_fund_id_check CHECK ((fund_id ~ '^805-[0-9]{10}$'::text)),
    CONSTRAINT funds_status_check CHECK ((status = ANY (ARRAY['active'::text, 'liquidating'::text, 'closed'::text]))),
    CONSTRAINT funds_vintage_quality_check CHECK ((vintage_quality = ANY (ARRAY['form_d'::text, 'first_filing'::text, 'list'::text])))
);

ALTER TABLE catalog.funds ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME catalog.funds_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE catalog.identifiers (
    accession text NOT NULL COLLATE pg_catalog."C",
    seq integer NOT NULL,
    crd text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL,
    value text NOT NULL,
    CONSTRAINT identifiers_kind_check CHECK ((kind = ANY (ARRAY['cik'::text, 'crd'::text])))
);

CREATE TABLE catalog.listings (
    crd text NOT NULL COLLATE pg_catalog."C",
    series text NOT NULL,
    first_on date NOT NULL,
    last_on date NOT NULL,
    CONSTRAINT listings_check CHECK ((first_on <= last_on))
);

CREATE TABLE catalog.offering_funds (
    accession text NOT NULL COLLATE pg_catalog."C",
    fund_id text NOT NULL COLLATE pg_catalog."C",
    matched_by text NOT NULL,
    arrival bigint DEFAULT catalog.current_arrival() NOT NULL,
    CONSTRAINT offering_funds_matched_by_check CHECK ((matched_by = ANY (ARRAY['file_number'::text, 'name'::text])))
);

CREATE TABLE catalog.offering_issuers (
    accession text NOT NULL COLLATE pg_catalog."C",
    seq integer NOT NULL,
    cik text COLLATE pg_catalog."C",
    name text NOT NULL,
    name_key text COLLATE pg_catalog."C",
    name_form text NOT NULL,
    previous_names text[],
    street1 text,
    street2 text,
    city text,
    state text,
    state_name text,
    postal_code text,
    phone text,
    jurisdiction text,
    entity_type text,
    year_formed integer
);

CREATE TABLE catalog.offering_people (
    accession text NOT NULL COLLATE pg_catalog."C",
    seq integer NOT NULL,
    first_name text,
    middle_name text,
    last_name text NOT NULL,
    entity boolean NOT NULL,
    city text,
    state text,
    country text,
    relationships text[],
    clarification text
);

CREATE TABLE catalog.offering_recipients (
    accession text NOT NULL COLLATE pg_catalog."C",
    seq integer NOT NULL,
    name text NOT NULL,
    crd text COLLATE pg_catalog."C",
    broker_dealer text,
    broker_crd text,
    city text,
    state text,
    country text,
    states text[],
    is_foreign boolean
);

CREATE TABLE catalog.offerings (
    accession text NOT NULL COLLATE pg_catalog."C",
    file_number text COLLATE pg_catalog."C",
    form_type text NOT NULL,
    filing_date date NOT NULL,
    previous_accession text COLLATE pg_catalog."C",
    chain text NOT NULL COLLATE pg_catalog."C",
    sic_code text,
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
    document text NOT NULL,
    run_id bigint NOT NULL,
    status text DEFAULT 'completed'::text NOT NULL,
    processed_at timestamp with time zone DEFAULT catalog.current_processing() NOT NULL,
    row_hash bytea NOT NULL,
    CONSTRAINT offerings_accession_check CHECK ((accession ~ '^[0-9]{10}-[0-9]{2}-[0-9]{6}$'::text)),
    CONSTRAINT offerings_form_type_check CHECK ((form_type = ANY (ARRAY['D'::text, 'D/A'::text]))),
    CONSTRAINT offerings_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'completed'::text])))
);

CREATE TABLE catalog.offices (
    accession text NOT NULL COLLATE pg_catalog."C",
    seq integer NOT NULL,
    crd text NOT NULL COLLATE pg_catalog."C",
    street1 text,
    street2 text,
    city text,
    state text,
    country text,
    postal_code text,
    private_residence boolean,
    phone text,
    employee_count bigint
);

CREATE TABLE catalog.overrides (
    id bigint NOT NULL,
    crd text COLLATE pg_catalog."C",
    fund_id text COLLATE pg_catalog."C",
    field text NOT NULL,
    value text,
    valid_from date NOT NULL,
    processed_at timestamp with time zone DEFAULT catalog.current_processing() NOT NULL,
    removed_at timestamp with time zone,
    CONSTRAINT overrides_check CHECK ((num_nonnulls(crd, fund_id) = 1))
);

CREATE TABLE catalog.owners (
    accession text NOT NULL COLLATE pg_catalog."C",
    seq integer NOT NULL,
    crd text NOT NULL COLLATE pg_catalog."C",
    schedule text NOT NULL,
    name text NOT NULL,
    entity_type text,
    owned_entity text,
    title text,
    acquired_year integer,
    acquired_month integer,
    ownership_code text,
    control_person boolean,
    public_reporting boolean,
    owner_id text,
    CONSTRAINT owners_acquired_month_check CHECK (((acquired_month >= 1) AND (acquired_month <= 12))),
    CONSTRAINT owners_entity_type_check CHECK ((entity_type = ANY (ARRAY['I'::text, 'DE'::text, 'FE'::text]))),
    CONSTRAINT owners_ownership_code_check CHECK ((ownership_code = ANY (ARRAY['NA'::text, 'A'::text, 'B'::text, 'C'::text, 'D'::text, 'E'::text, 'F'::text]))),
    CONSTRAINT owners_schedule_check CHECK ((schedule = ANY (ARRAY['A'::text, 'B'::text])))
);

CREATE TABLE catalog.provider_changes (
    crd text NOT NULL COLLATE pg_catalog."C",
    accession text NOT NULL COLLATE pg_catalog."C",
    seq smallint NOT NULL,
    filing_date date NOT NULL,
    role smallint NOT NULL,
    before integer[] NOT NULL,
    after integer[] NOT NULL,
    funds text[] NOT NULL,
    funds_in_filing integer NOT NULL
);

CREATE TABLE catalog.provider_names (
    id integer NOT NULL,
    name text NOT NULL,
    crd text NOT NULL COLLATE pg_catalog."C",
    lei text NOT NULL
);

ALTER TABLE catalog.provider_names ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME catalog.provider_names_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE VIEW catalog.pub_adviser_filing AS
 SELECT f.accession,
    f.crd,
    f.filing_date,
    f.funds_listed,
    f.arrival,
    v.registration,
    v.status_date,
    v.raum,
    catalog.order_version(f.source, f.filing_date, f.submitted_at, f.filing_id, f.accession) AS version_order
   FROM (catalog.filings f
     LEFT JOIN catalog.adviser_versions v USING (crd, accession));

CREATE VIEW catalog.pub_arrival AS
 SELECT arrival,
    known_at
   FROM catalog.arrivals;

CREATE VIEW catalog.pub_disclosure AS
 SELECT accession,
    seq,
    crd,
    family,
    reference_id,
    amended,
    items,
    filed_against,
    initiated_by,
    initiator_type,
    court,
    case_number,
    event_date,
    product,
    allegations,
    felony,
    status,
    resolution,
    resolution_date,
    sanctions,
    monetary_amount,
    sanction_detail,
    summary,
    COALESCE(court, initiated_by, ''::text) AS initiator,
        CASE
            WHEN ((reference_id IS NULL) AND (case_number IS NULL) AND (event_date IS NULL)) THEN md5(lower(COALESCE(allegations, summary, ''::text)))
            ELSE ''::text
        END AS text_key
   FROM catalog.disclosures;

CREATE VIEW catalog.pub_disclosure_affiliate AS
 SELECT d.accession,
    d.seq,
    d.crd,
    d.reference_id,
    d.disclosure_type,
    d.affiliate_crd,
    d.kind,
    d.registered,
    d.name,
    f.filing_date
   FROM (catalog.disclosure_affiliates d
     JOIN catalog.filings f USING (accession));

CREATE VIEW catalog.pub_filing AS
 SELECT f.accession,
    f.crd,
    f.source,
    f.form_type,
    f.amendment_type,
    f.filing_date,
    f.submitted_at,
    f.status,
    COALESCE(a.known_at, f.processed_at) AS processed_at,
    f.arrival,
    v.silent,
    catalog.order_version(f.source, f.filing_date, f.submitted_at, f.filing_id, f.accession) AS version_order,
    f.filing_id,
    f.funds_listed,
    f.document
   FROM ((catalog.filings f
     LEFT JOIN catalog.arrivals a USING (processed_at))
     LEFT JOIN catalog.adviser_versions v ON (((v.crd = f.crd) AND (v.accession = f.accession))));

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
    latest_filed_on,
    arrival,
    is_feeder,
    closed_on
   FROM catalog.funds;

CREATE VIEW catalog.pub_fund_filing AS
 SELECT v.fund_id,
    v.crd,
    f.accession,
    f.source,
    f.form_type,
    f.amendment_type,
    f.filing_date,
    f.status,
    COALESCE(a.known_at, f.processed_at) AS processed_at,
    catalog.order_version(f.source, f.filing_date, f.submitted_at, f.filing_id, f.accession) AS version_order
   FROM ((catalog.fund_versions v
     JOIN catalog.filings f USING (accession))
     LEFT JOIN catalog.arrivals a USING (processed_at));

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
    latest_filed_on,
    withdrawn_on,
    newest_filed_on,
    not_listed_since,
    registered_on,
    ((withdrawn_on IS NOT NULL) OR (not_listed_since IS NOT NULL)) AS former,
    net_gav
   FROM catalog.advisers;

CREATE VIEW catalog.pub_gp_version AS
 SELECT v.crd,
    v.accession,
    v.legal_name,
    v.raum,
    f.filing_date,
    catalog.order_version(f.source, f.filing_date, f.submitted_at, f.filing_id, f.accession) AS version_order,
    v.registration
   FROM (catalog.adviser_versions v
     JOIN catalog.filings f USING (crd, accession));

CREATE VIEW catalog.pub_offering AS
 SELECT o.accession,
    o.form_type,
    o.filing_date,
    o.first_sale,
    o.status,
    COALESCE(a.known_at, o.processed_at) AS processed_at,
    l.fund_id,
    f.adviser_crd,
    GREATEST(l.arrival, f.arrival) AS arrival,
    catalog.order_version('form_d'::text, o.filing_date, ((o.filing_date)::timestamp without time zone AT TIME ZONE 'UTC'::text), NULL::bigint, o.accession) AS version_order,
        CASE o.form_type
            WHEN 'D'::text THEN 'initial'::text
            ELSE 'material'::text
        END AS amendment_type,
    o.document
   FROM (((catalog.offerings o
     JOIN catalog.offering_funds l USING (accession))
     JOIN catalog.funds f USING (fund_id))
     LEFT JOIN catalog.arrivals a USING (processed_at));

CREATE VIEW catalog.pub_listed_filing AS
 SELECT filed.crd,
    filed.accession,
    filed.source,
    filed.filing_id,
    filed.form_type,
    filed.amendment_type,
    filed.filing_date,
    filed.submitted_at,
    filed.funds_listed,
    filed.document,
    filed.status,
    filed.processed_at,
    filed.version_order
   FROM ( SELECT pub_filing.accession,
            pub_filing.crd,
            pub_filing.source,
            pub_filing.form_type,
            pub_filing.amendment_type,
            pub_filing.filing_date,
            pub_filing.submitted_at,
            pub_filing.status,
            pub_filing.processed_at,
            pub_filing.arrival,
            pub_filing.silent,
            pub_filing.version_order,
            pub_filing.filing_id,
            pub_filing.funds_listed,
            pub_filing.document,
            max((pub_filing.version_order).authority) FILTER (WHERE (pub_filing.source <> 'advw'::text)) OVER (PARTITION BY pub_filing.crd, pub_filing.filing_date) AS best
           FROM catalog.pub_filing) filed
  WHERE ((filed.source = 'advw'::text) OR ((filed.version_order).authority = filed.best))
UNION ALL
 SELECT DISTINCT pub_offering.adviser_crd AS crd,
    pub_offering.accession,
    'form_d'::text AS source,
    NULL::bigint AS filing_id,
    pub_offering.form_type,
    pub_offering.amendment_type,
    pub_offering.filing_date,
    (pub_offering.version_order).submitted_at AS submitted_at,
    false AS funds_listed,
    pub_offering.document,
    pub_offering.status,
    pub_offering.processed_at,
    pub_offering.version_order
   FROM catalog.pub_offering;

CREATE VIEW catalog.pub_offering_person AS
 SELECT p.accession,
    p.seq,
    p.first_name,
    p.middle_name,
    p.last_name,
    p.entity,
    p.city,
    p.state,
    p.relationships,
    p.clarification,
    o.filing_date
   FROM (catalog.offering_people p
     JOIN catalog.offerings o USING (accession));

CREATE VIEW catalog.pub_owner AS
 SELECT o.accession,
    o.seq,
    o.crd,
    o.schedule,
    o.name,
    o.entity_type,
    o.title,
    o.acquired_year,
    o.acquired_month,
    o.owner_id,
    f.filing_date,
    catalog.order_version(f.source, f.filing_date, f.submitted_at, f.filing_id, f.accession) AS version_order
   FROM (catalog.owners o
     JOIN catalog.filings f USING (accession));

CREATE TABLE catalog.publications (
    seq bigint NOT NULL,
    run_id bigint NOT NULL,
    reason text NOT NULL,
    published_at timestamp with time zone DEFAULT now() NOT NULL,
    arrival bigint DEFAULT catalog.current_arrival() NOT NULL
);

CREATE VIEW catalog.pub_publication AS
 SELECT COALESCE(max(seq), (0)::bigint) AS seq
   FROM catalog.publications;

CREATE TABLE catalog.withdrawals (
    accession text NOT NULL COLLATE pg_catalog."C",
    crd text NOT NULL COLLATE pg_catalog."C",
    is_full boolean NOT NULL,
    ceased boolean,
    ceased_on date,
    reason text,
    row_hash bytea NOT NULL
);

CREATE VIEW catalog.pub_withdrawal AS
 SELECT w.accession,
    w.crd,
    w.is_full,
    f.filing_date
   FROM (catalog.withdrawals w
     JOIN catalog.filings f USING (accession));

ALTER TABLE catalog.publications ALTER COLUMN seq ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME catalog.publications_seq_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE catalog.records (
    crd text NOT NULL COLLATE pg_catalog."C",
    encoding bigint NOT NULL,
    others text[] COLLATE pg_catalog."C",
    filed bytea NOT NULL
);
ALTER TABLE ONLY catalog.records ALTER COLUMN filed SET STORAGE EXTERNAL;

CREATE TABLE catalog.replaced_children (
    accession text NOT NULL COLLATE pg_catalog."C",
    list text NOT NULL,
    replaced_at timestamp with time zone DEFAULT catalog.current_processing() NOT NULL,
    rows jsonb NOT NULL
);

CREATE TABLE catalog.replaced_offerings (
    accession text NOT NULL COLLATE pg_catalog."C",
    said jsonb NOT NULL,
    issuers jsonb NOT NULL,
    file_number text,
    previous_accession text,
    name_keys text[] NOT NULL,
    relinked boolean NOT NULL,
    processed_at timestamp with time zone NOT NULL,
    replaced_at timestamp with time zone DEFAULT catalog.current_processing() NOT NULL
);

CREATE TABLE catalog.replaced_versions (
    accession text NOT NULL COLLATE pg_catalog."C",
    fund_id text NOT NULL COLLATE pg_catalog."C",
    crd text NOT NULL COLLATE pg_catalog."C",
    said jsonb,
    filing_date date NOT NULL,
    submitted_at timestamp with time zone NOT NULL,
    funds_listed boolean NOT NULL,
    processed_at timestamp with time zone NOT NULL,
    replaced_at timestamp with time zone DEFAULT catalog.current_processing() NOT NULL
);

CREATE TABLE catalog.sub_advised_funds (
    accession text NOT NULL COLLATE pg_catalog."C",
    seq integer NOT NULL,
    crd text NOT NULL COLLATE pg_catalog."C",
    fund_id text COLLATE pg_catalog."C",
    name text,
    adviser_name text,
    adviser_sec_number text
);

CREATE VIEW catalog.ties AS
 SELECT accession,
    crd,
    affiliate_crd
   FROM catalog.affiliates
  WHERE ((affiliate_crd IS NOT NULL) AND (controls OR common_control));

CREATE TABLE catalog.websites (
    accession text NOT NULL COLLATE pg_catalog."C",
    seq integer NOT NULL,
    crd text NOT NULL COLLATE pg_catalog."C",
    url text NOT NULL,
    kind text NOT NULL,
    CONSTRAINT websites_kind_check CHECK ((kind = ANY (ARRAY['own'::text, 'social'::text, 'other'::text])))
);

CREATE TABLE dataops.alerts (
    id bigint NOT NULL,
    run_id bigint,
    source_name text,
    kind text NOT NULL,
    reason text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    resolved_at timestamp with time zone,
    subject text DEFAULT ''::text NOT NULL,
    times bigint DEFAULT 1 NOT NULL,
    raised_at timestamp with time zone NOT NULL,
    acknowledged_at timestamp with time zone,
    acknowledged_by bigint,
    resolved_by bigint,
    resolution text,
    value double precision,
    measured_on date,
    CONSTRAINT alerts_kind_check CHECK ((kind = ANY (ARRAY['universe_shrunk'::text, 'keys_doubled'::text, 'column_lost'::text, 'table_lost'::text, 'rows_unusable'::text, 'rows_lost'::text, 'values_changed'::text, 'source_failed'::text, 'edition_doubtful'::text, 'rows_doubtful'::text, 'source_late'::text, 'quarantine_share'::text, 'duplicate_rows'::text, 'vanished_advisers'::text, 'null_share'::text, 'aum_jumps'::text, 'fund_sums'::text, 'future_dates'::text, 'names_reverted'::text])))
);

ALTER TABLE dataops.alerts ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME dataops.alerts_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE dataops.extractions (
    id bigint NOT NULL,
    source_name text NOT NULL,
    trigger text NOT NULL,
    requested_by bigint,
    accept text[] DEFAULT '{}'::text[] NOT NULL,
    state text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    started_at timestamp with time zone,
    finished_at timestamp with time zone,
    listed bigint DEFAULT 0 NOT NULL,
    known bigint DEFAULT 0 NOT NULL,
    loaded bigint DEFAULT 0 NOT NULL,
    awaited bigint DEFAULT 0 NOT NULL,
    error text,
    CONSTRAINT extractions_check CHECK (((state = ANY (ARRAY['completed'::text, 'failed'::text])) = (finished_at IS NOT NULL))),
    CONSTRAINT extractions_state_check CHECK ((state = ANY (ARRAY['queued'::text, 'running'::text, 'completed'::text, 'failed'::text]))),
    CONSTRAINT extractions_trigger_check CHECK ((trigger = ANY (ARRAY['operator'::text, 'queue'::text, 'schedule'::text, 'command'::text])))
);

ALTER TABLE dataops.extractions ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME dataops.extractions_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE dataops.fetched (
    source_name text NOT NULL,
    address text NOT NULL,
    etag text,
    last_modified text,
    bytes bigint,
    sha256 text,
    uploaded_on text,
    run_id bigint,
    fetched_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE dataops.filed_rows (
    kind text NOT NULL,
    crd text NOT NULL COLLATE pg_catalog."C",
    filing_id text NOT NULL,
    submitted timestamp with time zone NOT NULL,
    rows jsonb NOT NULL,
    carried jsonb DEFAULT '{}'::jsonb NOT NULL
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
    series text,
    source_name text,
    advisers_seen bigint,
    duplicates bigint,
    layout jsonb,
    extraction_id bigint,
    edition date,
    keyed_rows bigint,
    table_rows jsonb,
    filled jsonb,
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

CREATE TABLE dataops.overrides (
    id bigint NOT NULL,
    type text NOT NULL,
    entity_id text NOT NULL,
    field text DEFAULT ''::text NOT NULL,
    value jsonb NOT NULL,
    original jsonb,
    reason text NOT NULL,
    valid_from date NOT NULL,
    created_at timestamp with time zone NOT NULL,
    created_by bigint,
    removed_at timestamp with time zone,
    removed_by bigint,
    CONSTRAINT overrides_check CHECK (((removed_at IS NULL) = (removed_by IS NULL))),
    CONSTRAINT overrides_reason_check CHECK ((reason <> ''::text))
);

ALTER TABLE dataops.overrides ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME dataops.overrides_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE dataops.quality_metrics (
    day date NOT NULL,
    metric text NOT NULL,
    dimension text DEFAULT ''::text NOT NULL,
    affected bigint NOT NULL,
    total bigint NOT NULL,
    value double precision NOT NULL,
    sample jsonb DEFAULT '[]'::jsonb NOT NULL,
    computed_at timestamp with time zone NOT NULL
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

CREATE TABLE dataops.refresh_queue (
    id bigint NOT NULL,
    entity_type text NOT NULL,
    entity_id text NOT NULL,
    reason text NOT NULL,
    priority bigint NOT NULL,
    state text NOT NULL,
    result text,
    extraction_id bigint,
    requested_by bigint NOT NULL,
    attempts bigint DEFAULT 0 NOT NULL,
    created_at timestamp with time zone NOT NULL,
    lease_until timestamp with time zone,
    finished_at timestamp with time zone,
    CONSTRAINT refresh_queue_check CHECK (((state = 'running'::text) = (lease_until IS NOT NULL))),
    CONSTRAINT refresh_queue_check1 CHECK (((state = ANY (ARRAY['done'::text, 'failed'::text])) = (finished_at IS NOT NULL))),
    CONSTRAINT refresh_queue_entity_type_check CHECK ((entity_type = ANY (ARRAY['gp'::text, 'person'::text, 'lp'::text, 'source'::text]))),
    CONSTRAINT refresh_queue_state_check CHECK ((state = ANY (ARRAY['queued'::text, 'running'::text, 'done'::text, 'failed'::text])))
);

ALTER TABLE dataops.refresh_queue ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME dataops.refresh_queue_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE dataops.sources (
    name text NOT NULL,
    last_checked timestamp with time zone,
    last_success timestamp with time zone,
    last_error text,
    failures integer DEFAULT 0 NOT NULL
);

CREATE TABLE feed.alerts (
    search_id uuid NOT NULL,
    user_id bigint NOT NULL,
    tells text[] NOT NULL,
    fields text[] NOT NULL,
    mail text NOT NULL,
    webhooks text[] NOT NULL,
    state text NOT NULL,
    why text,
    fault text,
    hash text NOT NULL COLLATE pg_catalog."C",
    since bigint NOT NULL,
    mailed bigint NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    CONSTRAINT alerts_mail_check CHECK ((mail = ANY (ARRAY['off'::text, 'each'::text, 'daily'::text, 'weekly'::text]))),
    CONSTRAINT alerts_state_check CHECK ((state = ANY (ARRAY['active'::text, 'paused'::text]))),
    CONSTRAINT alerts_why_check CHECK ((why = ANY (ARRAY['plan'::text, 'filters'::text])))
);

CREATE TABLE feed.attempts (
    endpoint_id uuid NOT NULL,
    message_id text NOT NULL COLLATE pg_catalog."C",
    no integer NOT NULL,
    at timestamp with time zone NOT NULL,
    status smallint,
    ms integer NOT NULL,
    error text,
    said text
);

CREATE TABLE feed.endpoints (
    id uuid NOT NULL,
    user_id bigint NOT NULL,
    url text NOT NULL,
    kinds text[] NOT NULL,
    scope text NOT NULL,
    crds text[] NOT NULL,
    collection_id uuid,
    mode text NOT NULL,
    header_names text[] NOT NULL,
    headers bytea,
    state text NOT NULL,
    why text,
    "position" bigint NOT NULL,
    notified_at timestamp with time zone,
    failing_since timestamp with time zone,
    streak integer DEFAULT 0 NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    CONSTRAINT endpoints_mode_check CHECK ((mode = ANY (ARRAY['each'::text, 'notify'::text]))),
    CONSTRAINT endpoints_scope_check CHECK ((scope = ANY (ARRAY['all'::text, 'watchlist'::text, 'crds'::text, 'collection'::text]))),
    CONSTRAINT endpoints_state_check CHECK ((state = ANY (ARRAY['active'::text, 'paused'::text, 'disabled'::text])))
);

CREATE TABLE feed.matched (
    arrival bigint NOT NULL,
    crd text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL,
    fields text[] NOT NULL,
    at timestamp with time zone NOT NULL
);

CREATE TABLE feed.matches (
    hash text NOT NULL COLLATE pg_catalog."C",
    arrival bigint NOT NULL,
    entered text[] NOT NULL COLLATE pg_catalog."C",
    gone text[] NOT NULL COLLATE pg_catalog."C",
    changed text[] NOT NULL COLLATE pg_catalog."C",
    truncated boolean NOT NULL,
    at timestamp with time zone NOT NULL,
    known_at timestamp with time zone NOT NULL
);

CREATE TABLE feed.messages (
    endpoint_id uuid NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    seq_low bigint NOT NULL,
    seq_high bigint NOT NULL,
    kind text NOT NULL COLLATE pg_catalog."C",
    events bigint NOT NULL,
    state text NOT NULL,
    tries integer DEFAULT 0 NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    next_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    body text,
    CONSTRAINT messages_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'sending'::text, 'done'::text, 'failed'::text])))
);

CREATE VIEW feed.news AS
 SELECT m.hash,
    m.arrival,
    n.crd,
    g.name,
    n.what,
        CASE
            WHEN (n.what = 'changed'::text) THEN g.fields
            ELSE '{}'::text[]
        END AS fields,
    m.at,
    m.known_at,
    m.truncated
   FROM ((feed.matches m
     CROSS JOIN LATERAL ( SELECT unnest(m.entered) AS crd,
            'entered'::text AS what
        UNION ALL
         SELECT unnest(m.gone) AS unnest,
            'left'::text
        UNION ALL
         SELECT unnest(m.changed) AS unnest,
            'changed'::text) n)
     JOIN feed.matched g ON (((g.arrival = m.arrival) AND (g.crd = n.crd))));

CREATE TABLE feed.secrets (
    id bigint NOT NULL,
    endpoint_id uuid NOT NULL,
    sealed bytea NOT NULL,
    expires_at timestamp with time zone
);

ALTER TABLE feed.secrets ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME feed.secrets_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE keys.api_keys (
    id uuid NOT NULL,
    user_id bigint NOT NULL,
    name text NOT NULL,
    tier text NOT NULL,
    mode text NOT NULL,
    hash bytea NOT NULL,
    last_four text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    revoked_at timestamp with time zone,
    last_used_at timestamp with time zone,
    counted_as uuid,
    CONSTRAINT api_keys_mode_check CHECK ((mode = ANY (ARRAY['live'::text, 'test'::text]))),
    CONSTRAINT api_keys_tier_check CHECK ((tier = ANY (ARRAY['starter'::text, 'growth'::text, 'scale'::text])))
);

CREATE TABLE keys.free_calls (
    user_id bigint NOT NULL,
    used bigint NOT NULL,
    CONSTRAINT free_calls_used_check CHECK ((used >= 0))
);

CREATE VIEW keys.pub_api_key AS
 SELECT id,
    user_id,
    name,
    tier,
    mode,
    created_at,
    revoked_at,
    last_used_at
   FROM keys.api_keys;

CREATE TABLE keys.usage_days (
    key_id uuid NOT NULL,
    operation text NOT NULL,
    day date NOT NULL,
    requests bigint NOT NULL,
    failed bigint NOT NULL,
    total_us bigint NOT NULL,
    min_us bigint NOT NULL,
    max_us bigint NOT NULL,
    histogram integer[] NOT NULL
)
PARTITION BY RANGE (day);

CREATE TABLE keys.usage_days_rest (
    key_id uuid NOT NULL,
    operation text NOT NULL,
    day date NOT NULL,
    requests bigint NOT NULL,
    failed bigint NOT NULL,
    total_us bigint NOT NULL,
    min_us bigint NOT NULL,
    max_us bigint NOT NULL,
    histogram integer[] NOT NULL
);

CREATE TABLE keys.usage_minutes (
    key_id uuid NOT NULL,
    operation text NOT NULL,
    minute timestamp with time zone NOT NULL,
    requests bigint NOT NULL,
    failed bigint NOT NULL,
    total_us bigint NOT NULL,
    min_us bigint NOT NULL,
    max_us bigint NOT NULL,
    histogram integer[] NOT NULL
)
PARTITION BY RANGE (minute);

CREATE TABLE keys.usage_minutes_rest (
    key_id uuid NOT NULL,
    operation text NOT NULL,
    minute timestamp with time zone NOT NULL,
    requests bigint NOT NULL,
    failed bigint NOT NULL,
    total_us bigint NOT NULL,
    min_us bigint NOT NULL,
    max_us bigint NOT NULL,
    histogram integer[] NOT NULL
);

CREATE TABLE notifications.bounces (
    address_hash bytea NOT NULL,
    bounces integer NOT NULL,
    first_at timestamp with time zone NOT NULL,
    last_at timestamp with time zone NOT NULL,
    last_mail bigint NOT NULL
);

CREATE TABLE notifications.daily (
    user_id bigint NOT NULL,
    kind text NOT NULL,
    day date NOT NULL,
    mails bigint[] NOT NULL
);

CREATE TABLE notifications.digests (
    user_id bigint NOT NULL,
    day date NOT NULL,
    low bigint NOT NULL,
    low_at timestamp with time zone NOT NULL,
    high bigint NOT NULL,
    high_at timestamp with time zone NOT NULL,
    mail text,
    CONSTRAINT digests_check CHECK ((low <= high))
);

CREATE TABLE notifications.hits (
    mail_id text NOT NULL,
    link_id text NOT NULL,
    machine boolean NOT NULL,
    count bigint NOT NULL,
    first_at timestamp with time zone NOT NULL,
    last_at timestamp with time zone NOT NULL
);

CREATE TABLE notifications.kinds (
    id text NOT NULL,
    name text NOT NULL,
    description text NOT NULL,
    category text NOT NULL,
    enabled boolean NOT NULL,
    max_per_day integer NOT NULL,
    subject text,
    text text,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    updated_by bigint,
    CONSTRAINT kinds_category_check CHECK ((category = ANY (ARRAY['account'::text, 'billing'::text, 'activity_digest'::text, 'market_intel'::text, 'product'::text]))),
    CONSTRAINT kinds_check CHECK ((enabled OR (category <> 'account'::text))),
    CONSTRAINT kinds_check1 CHECK (((subject IS NULL) = (text IS NULL))),
    CONSTRAINT kinds_id_check CHECK (((id ~ '^[a-z][a-z0-9]*(_[a-z0-9]+)*$'::text) AND (length(id) <= 50))),
    CONSTRAINT kinds_max_per_day_check CHECK (((max_per_day >= 1) AND (max_per_day <= 100)))
);

CREATE TABLE notifications.link_keys (
    id smallint NOT NULL,
    key bytea NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT link_keys_id_check CHECK ((id = 1)),
    CONSTRAINT link_keys_key_check CHECK ((length(key) = 32))
);

CREATE TABLE notifications.preferences (
    user_id bigint NOT NULL,
    billing boolean NOT NULL,
    activity_digest boolean NOT NULL,
    market_intel boolean NOT NULL,
    product boolean NOT NULL,
    updated_at timestamp with time zone NOT NULL
);

CREATE TABLE notifications.queue (
    id bigint NOT NULL,
    kind text NOT NULL,
    category text NOT NULL,
    user_id bigint NOT NULL,
    natural_key text NOT NULL,
    data jsonb NOT NULL,
    state text DEFAULT 'queued'::text NOT NULL,
    reason text,
    attempts integer DEFAULT 0 NOT NULL,
    lease_until timestamp with time zone,
    not_before timestamp with time zone NOT NULL,
    created_at timestamp with time zone NOT NULL,
    sent_at timestamp with time zone,
    message_id text NOT NULL,
    CONSTRAINT queue_check CHECK (((state = 'sending'::text) = (lease_until IS NOT NULL))),
    CONSTRAINT queue_check1 CHECK (((state = 'sent'::text) = (sent_at IS NOT NULL))),
    CONSTRAINT queue_state_check CHECK ((state = ANY (ARRAY['queued'::text, 'sending'::text, 'sent'::text, 'failed'::text, 'suppressed'::text])))
);

ALTER TABLE notifications.queue ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME notifications.queue_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE notifications.tracked_links (
    id text NOT NULL,
    mail_id text NOT NULL,
    destination text NOT NULL,
    hidden boolean NOT NULL
);

CREATE TABLE notifications.tracked_mails (
    id text NOT NULL,
    queue_id bigint NOT NULL,
    user_id bigint NOT NULL,
    kind text NOT NULL,
    created_at timestamp with time zone NOT NULL
);

CREATE TABLE people.aliases (
    uid text NOT NULL COLLATE pg_catalog."C",
    person_uid text NOT NULL COLLATE pg_catalog."C",
    rule_uid text COLLATE pg_catalog."C"
);

CREATE TABLE people.board_vendors (
    vendor text NOT NULL COLLATE pg_catalog."C",
    failures integer NOT NULL,
    rest_until timestamp with time zone
);

CREATE TABLE people.boards (
    crd text NOT NULL COLLATE pg_catalog."C",
    vendor text NOT NULL COLLATE pg_catalog."C",
    token text NOT NULL COLLATE pg_catalog."C",
    from_file boolean NOT NULL,
    added_at timestamp with time zone NOT NULL,
    etag text DEFAULT ''::text NOT NULL,
    last_modified text DEFAULT ''::text NOT NULL,
    checked_at timestamp with time zone,
    succeeded_at timestamp with time zone,
    observed_since timestamp with time zone,
    doubted_at timestamp with time zone,
    failures integer DEFAULT 0 NOT NULL,
    failure text,
    retry_at timestamp with time zone,
    leased_until timestamp with time zone,
    CONSTRAINT boards_vendor_check CHECK ((vendor = ANY (ARRAY['greenhouse'::text, 'lever'::text, 'lever-eu'::text, 'ashby'::text])))
);

CREATE TABLE people.decisions (
    id bigint NOT NULL,
    kind text NOT NULL,
    uid text NOT NULL COLLATE pg_catalog."C",
    crd text COLLATE pg_catalog."C",
    to_uid text NOT NULL COLLATE pg_catalog."C",
    override_id bigint NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT decisions_check CHECK (((kind = 'split'::text) = (crd IS NOT NULL))),
    CONSTRAINT decisions_kind_check CHECK ((kind = ANY (ARRAY['merge'::text, 'split'::text])))
);

ALTER TABLE people.decisions ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME people.decisions_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE people.enriched_firms (
    crd text NOT NULL COLLATE pg_catalog."C",
    first_at timestamp with time zone NOT NULL,
    last_at timestamp with time zone NOT NULL
);

CREATE TABLE people.enrichment_askers (
    enrichment_id uuid NOT NULL,
    user_id bigint NOT NULL,
    asked_at timestamp with time zone NOT NULL,
    started boolean NOT NULL
);

CREATE TABLE people.enrichments (
    id uuid NOT NULL,
    crd text NOT NULL COLLATE pg_catalog."C",
    state text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    started_at timestamp with time zone,
    finished_at timestamp with time zone,
    lease_until timestamp with time zone NOT NULL,
    runs integer DEFAULT 0 NOT NULL,
    error text,
    outcome jsonb DEFAULT '{}'::jsonb NOT NULL,
    CONSTRAINT enrichments_check CHECK (((finished_at IS NOT NULL) = (state = ANY (ARRAY['completed'::text, 'failed'::text])))),
    CONSTRAINT enrichments_check1 CHECK (((error IS NOT NULL) = (state = 'failed'::text))),
    CONSTRAINT enrichments_error_check CHECK ((error = ANY (ARRAY['interrupted'::text, 'not_started'::text, 'timed_out'::text, 'internal'::text]))),
    CONSTRAINT enrichments_state_check CHECK ((state = ANY (ARRAY['queued'::text, 'running'::text, 'completed'::text, 'failed'::text])))
);

CREATE TABLE people.firms (
    crd text NOT NULL COLLATE pg_catalog."C",
    schedules integer NOT NULL,
    schedules_from date,
    schedules_until date,
    notices integer NOT NULL,
    notices_until date
);

CREATE TABLE people.lp_changed (
    investment_id bigint NOT NULL
);

CREATE TABLE people.lp_commitments (
    investment_id bigint NOT NULL,
    as_of date NOT NULL,
    fund_name text NOT NULL,
    gp_name text,
    vintage_year smallint,
    committed bigint,
    contributed bigint,
    distributed bigint,
    nav bigint,
    net_irr_percent double precision,
    multiple double precision,
    run_id bigint NOT NULL,
    lacks text[] DEFAULT '{}'::text[] NOT NULL
);

CREATE TABLE people.lp_figures (
    investment_id bigint NOT NULL,
    as_of date NOT NULL,
    fund_name text NOT NULL,
    committed bigint,
    gp_name text,
    vintage_year smallint,
    contributed bigint,
    contributed_as_of date,
    distributed bigint,
    distributed_as_of date,
    nav bigint,
    nav_as_of date,
    net_irr_percent double precision,
    net_irr_percent_as_of date,
    multiple double precision,
    multiple_as_of date
);

CREATE TABLE people.lp_investments (
    id bigint NOT NULL,
    lp_id bigint NOT NULL,
    fund_key text NOT NULL COLLATE pg_catalog."C",
    match_method text,
    match_crd text COLLATE pg_catalog."C",
    match_fund_id text COLLATE pg_catalog."C",
    match_confidence double precision,
    found_method text,
    found_crd text COLLATE pg_catalog."C",
    found_fund_id text COLLATE pg_catalog."C",
    found_confidence double precision,
    CONSTRAINT lp_investments_match_confidence_check CHECK (((match_confidence >= (0)::double precision) AND (match_confidence <= (1)::double precision))),
    CONSTRAINT lp_investments_match_method_check CHECK ((match_method = ANY (ARRAY['fund_name'::text, 'fund_series'::text, 'manager_name'::text, 'operator'::text])))
);

ALTER TABLE people.lp_investments ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME people.lp_investments_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE people.lp_listings (
    lp_id bigint NOT NULL,
    as_of date NOT NULL,
    run_id bigint NOT NULL,
    name text NOT NULL,
    entity_type text,
    pension boolean NOT NULL,
    city text,
    country text,
    CONSTRAINT lp_listings_entity_type_check CHECK ((entity_type = ANY (ARRAY['pension'::text, 'endowment'::text, 'family_office'::text, 'fund_of_funds'::text, 'insurance'::text, 'sovereign_wealth'::text, 'corporate'::text, 'other'::text])))
);

CREATE TABLE people.lp_matched (
    only_row boolean DEFAULT true NOT NULL,
    publication bigint NOT NULL,
    CONSTRAINT lp_matched_only_row_check CHECK (only_row)
);

CREATE TABLE people.lp_statements (
    investment_id bigint NOT NULL,
    as_of date NOT NULL,
    fund_name text NOT NULL,
    gp_name text,
    vintage_year smallint,
    committed bigint,
    contributed bigint,
    distributed bigint,
    nav bigint,
    net_irr_percent double precision,
    multiple double precision,
    run_id bigint NOT NULL,
    lacks text[] NOT NULL
);

CREATE TABLE people.lps (
    id bigint NOT NULL,
    name_key text NOT NULL COLLATE pg_catalog."C",
    state text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL,
    entity_type text,
    city text,
    country text,
    investment_count integer DEFAULT 0 NOT NULL,
    total_committed bigint,
    as_of date NOT NULL,
    created_at timestamp with time zone NOT NULL,
    committed_known integer DEFAULT 0 NOT NULL,
    CONSTRAINT lps_entity_type_check CHECK ((entity_type = ANY (ARRAY['pension'::text, 'endowment'::text, 'family_office'::text, 'fund_of_funds'::text, 'insurance'::text, 'sovereign_wealth'::text, 'corporate'::text, 'other'::text])))
);

ALTER TABLE people.lps ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME people.lps_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE people.origins (
    uid text NOT NULL COLLATE pg_catalog."C",
    former_uid text NOT NULL COLLATE pg_catalog."C"
);

CREATE TABLE people.postings (
    crd text NOT NULL COLLATE pg_catalog."C",
    vendor text NOT NULL COLLATE pg_catalog."C",
    token text NOT NULL COLLATE pg_catalog."C",
    posting_id text NOT NULL COLLATE pg_catalog."C",
    title text NOT NULL,
    department text NOT NULL,
    location text NOT NULL,
    employment_type text NOT NULL,
    url text NOT NULL,
    posted_at timestamp with time zone,
    first_seen timestamp with time zone NOT NULL,
    last_seen timestamp with time zone NOT NULL,
    closed_at timestamp with time zone
);

CREATE TABLE people.posts (
    crd text NOT NULL COLLATE pg_catalog."C",
    sight_uid text NOT NULL COLLATE pg_catalog."C",
    person_uid text NOT NULL COLLATE pg_catalog."C",
    number text COLLATE pg_catalog."C",
    last_key text NOT NULL,
    first_key text NOT NULL,
    full_name text NOT NULL,
    title text,
    acquired_on date,
    named_from date NOT NULL,
    named_until date NOT NULL,
    left_before date,
    standing text NOT NULL,
    source text NOT NULL,
    city text,
    state text,
    sighted_in text NOT NULL COLLATE pg_catalog."C",
    rule_uid text NOT NULL COLLATE pg_catalog."C",
    acquired_year_only boolean DEFAULT false NOT NULL,
    joined_after date,
    joined_before date NOT NULL,
    joined_monthly boolean NOT NULL,
    CONSTRAINT posts_source_check CHECK ((source = ANY (ARRAY['schedules'::text, 'form_d'::text]))),
    CONSTRAINT posts_standing_check CHECK ((standing = ANY (ARRAY['team'::text, 'alumni'::text, 'lapsed'::text])))
);

CREATE TABLE people.profiles (
    person_uid text NOT NULL COLLATE pg_catalog."C",
    fields jsonb NOT NULL,
    asked jsonb NOT NULL,
    updated_at timestamp with time zone NOT NULL
);

CREATE TABLE people.progress (
    only_row boolean DEFAULT true NOT NULL,
    processed_at timestamp with time zone NOT NULL,
    arrival bigint NOT NULL,
    CONSTRAINT progress_only_row_check CHECK (only_row)
);

CREATE VIEW people.roster AS
 SELECT DISTINCT ON (crd, person_uid) crd,
    sight_uid,
    person_uid,
    number,
    last_key,
    first_key,
    full_name,
    title,
    acquired_on,
    named_from,
    named_until,
    left_before,
    standing,
    source,
    city,
    state,
    sighted_in,
    rule_uid,
    acquired_year_only,
    joined_after,
    joined_before,
    joined_monthly
   FROM people.posts
  WHERE (standing = ANY (ARRAY['team'::text, 'alumni'::text]))
  ORDER BY crd, person_uid, (array_position(ARRAY['team'::text, 'alumni'::text], standing)), named_until DESC, sight_uid;

CREATE TABLE people.suppressed_at (
    person_uid text NOT NULL COLLATE pg_catalog."C",
    crd text NOT NULL COLLATE pg_catalog."C",
    sight_uid text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    rule_uid text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    name_hash text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C"
);

CREATE TABLE people.suppressions (
    key_hash text NOT NULL COLLATE pg_catalog."C",
    person_uid text NOT NULL COLLATE pg_catalog."C",
    created_at timestamp with time zone NOT NULL,
    override_id bigint NOT NULL,
    of_uid text NOT NULL COLLATE pg_catalog."C",
    crd text COLLATE pg_catalog."C",
    rule_uid text COLLATE pg_catalog."C"
);

CREATE TABLE people.units (
    uid text NOT NULL COLLATE pg_catalog."C",
    n integer NOT NULL,
    unit text NOT NULL COLLATE pg_catalog."C"
);

CREATE TABLE platform.audit (
    id bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    actor_id bigint,
    action text NOT NULL,
    subject text NOT NULL,
    before jsonb,
    after jsonb
);

ALTER TABLE platform.audit ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME platform.audit_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE platform.changes (
    seq bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    kind text NOT NULL COLLATE pg_catalog."C",
    crd text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    subject text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    accession text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    day date,
    arrival bigint DEFAULT 0 NOT NULL,
    said jsonb DEFAULT '{}'::jsonb NOT NULL
);

CREATE TABLE platform.changes_log (
    id boolean DEFAULT true NOT NULL,
    epoch uuid DEFAULT gen_random_uuid() NOT NULL,
    begun timestamp with time zone DEFAULT now() NOT NULL,
    swept bigint DEFAULT 0 NOT NULL,
    CONSTRAINT changes_log_id_check CHECK (id)
);

CREATE SEQUENCE platform.changes_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

CREATE TABLE platform.idempotency (
    user_id bigint NOT NULL,
    key_hash bytea NOT NULL,
    id uuid NOT NULL,
    operation text NOT NULL,
    fingerprint bytea NOT NULL,
    holder uuid NOT NULL,
    lease_until timestamp with time zone,
    status smallint,
    answer bytea,
    created_at timestamp with time zone NOT NULL,
    answered boolean DEFAULT false NOT NULL,
    CONSTRAINT idempotency_check CHECK (((lease_until IS NULL) = (status IS NOT NULL))),
    CONSTRAINT idempotency_check1 CHECK (((status IS NULL) = (answer IS NULL))),
    CONSTRAINT idempotency_fingerprint_check CHECK ((length(fingerprint) = 32)),
    CONSTRAINT idempotency_key_hash_check CHECK ((length(key_hash) = 32))
);

CREATE TABLE platform.outbox (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    type text NOT NULL,
    payload jsonb NOT NULL,
    task_id text,
    run_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    last_error text,
    handed_at timestamp with time zone
);

CREATE TABLE platform.started_runs (
    task_id text NOT NULL,
    started_at timestamp with time zone DEFAULT now() NOT NULL
);

ALTER TABLE ONLY billing.charges ATTACH PARTITION billing.charges_rest DEFAULT;

ALTER TABLE ONLY keys.usage_days ATTACH PARTITION keys.usage_days_rest DEFAULT;

ALTER TABLE ONLY keys.usage_minutes ATTACH PARTITION keys.usage_minutes_rest DEFAULT;

ALTER TABLE ONLY accounts.attempts
    ADD CONSTRAINT attempts_pkey PRIMARY KEY (id);

ALTER TABLE ONLY accounts.collection_items
    ADD CONSTRAINT collection_items_pkey PRIMARY KEY (collection_id, adviser_crd);

ALTER TABLE ONLY accounts.collections
    ADD CONSTRAINT collections_pkey PRIMARY KEY (id);

ALTER TABLE ONLY accounts.collections
    ADD CONSTRAINT collections_user_id_name_key_key UNIQUE (user_id, name_key);

ALTER TABLE ONLY accounts.mail_tokens
    ADD CONSTRAINT mail_tokens_pkey PRIMARY KEY (hash);

ALTER TABLE ONLY accounts.refresh_tokens
    ADD CONSTRAINT refresh_tokens_pkey PRIMARY KEY (hash);

ALTER TABLE ONLY accounts.saved_searches
    ADD CONSTRAINT saved_searches_pkey PRIMARY KEY (id);

ALTER TABLE ONLY accounts.sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (id);

ALTER TABLE ONLY accounts.survey_answers
    ADD CONSTRAINT survey_answers_pkey PRIMARY KEY (user_id, month);

ALTER TABLE ONLY accounts.users
    ADD CONSTRAINT users_email_key_key UNIQUE (email_key);

ALTER TABLE ONLY accounts.users
    ADD CONSTRAINT users_pkey PRIMARY KEY (id);

ALTER TABLE ONLY accounts.watchlist_items
    ADD CONSTRAINT watchlist_items_pkey PRIMARY KEY (id);

ALTER TABLE ONLY accounts.watchlist_items
    ADD CONSTRAINT watchlist_items_user_id_adviser_crd_key UNIQUE (user_id, adviser_crd);

ALTER TABLE ONLY analytics.regulatory_answers
    ADD CONSTRAINT regulatory_answers_pkey PRIMARY KEY (crd, provider);

ALTER TABLE ONLY billing.accounts
    ADD CONSTRAINT accounts_pkey PRIMARY KEY (user_id);

ALTER TABLE ONLY billing.accounts
    ADD CONSTRAINT accounts_stripe_customer_key UNIQUE (stripe_customer);

ALTER TABLE ONLY billing.alerts
    ADD CONSTRAINT alerts_pkey PRIMARY KEY (user_id, period, threshold);

ALTER TABLE ONLY billing.charges
    ADD CONSTRAINT charges_pkey PRIMARY KEY (period, id);

ALTER TABLE ONLY billing.charges_rest
    ADD CONSTRAINT charges_rest_pkey PRIMARY KEY (period, id);

ALTER TABLE ONLY billing.collections
    ADD CONSTRAINT collections_pkey PRIMARY KEY (user_id, period);

ALTER TABLE ONLY billing.dunning
    ADD CONSTRAINT dunning_pkey PRIMARY KEY (invoice, step);

ALTER TABLE ONLY billing.entitlements
    ADD CONSTRAINT entitlements_pkey PRIMARY KEY (user_id, product, unit);

ALTER TABLE ONLY billing.executions
    ADD CONSTRAINT executions_pkey PRIMARY KEY (id);

ALTER TABLE ONLY billing.payments
    ADD CONSTRAINT payments_pkey PRIMARY KEY (invoice);

ALTER TABLE ONLY billing.places
    ADD CONSTRAINT places_pkey PRIMARY KEY (user_id, product, place);

ALTER TABLE ONLY billing.receipt_lines
    ADD CONSTRAINT receipt_lines_pkey PRIMARY KEY (charge_id);

ALTER TABLE ONLY billing.stripe_events
    ADD CONSTRAINT stripe_events_pkey PRIMARY KEY (id);

ALTER TABLE ONLY billing.subscriptions
    ADD CONSTRAINT subscriptions_pkey PRIMARY KEY (id);

ALTER TABLE ONLY catalog.adviser_histories
    ADD CONSTRAINT adviser_histories_pkey PRIMARY KEY (crd);

ALTER TABLE ONLY catalog.adviser_links
    ADD CONSTRAINT adviser_links_pkey PRIMARY KEY (crd, affiliate_crd);

ALTER TABLE ONLY catalog.adviser_versions
    ADD CONSTRAINT adviser_versions_pkey PRIMARY KEY (crd, accession);

ALTER TABLE ONLY catalog.advisers
    ADD CONSTRAINT advisers_pkey PRIMARY KEY (crd);

ALTER TABLE ONLY catalog.affiliates
    ADD CONSTRAINT affiliates_pkey PRIMARY KEY (accession, seq);

ALTER TABLE ONLY catalog.arrivals
    ADD CONSTRAINT arrivals_known_at_key UNIQUE (known_at);

ALTER TABLE ONLY catalog.arrivals
    ADD CONSTRAINT arrivals_pkey PRIMARY KEY (arrival);

ALTER TABLE ONLY catalog.arrivals
    ADD CONSTRAINT arrivals_processed_at_key UNIQUE (processed_at);

ALTER TABLE ONLY catalog.changed_advisers
    ADD CONSTRAINT changed_advisers_pkey PRIMARY KEY (arrival, crd);

ALTER TABLE ONLY catalog.compared_advisers
    ADD CONSTRAINT compared_advisers_pkey PRIMARY KEY (crd);

ALTER TABLE ONLY catalog.disclosure_affiliates
    ADD CONSTRAINT disclosure_affiliates_pkey PRIMARY KEY (accession, seq);

ALTER TABLE ONLY catalog.disclosures
    ADD CONSTRAINT disclosures_pkey PRIMARY KEY (accession, seq);

ALTER TABLE ONLY catalog.editions
    ADD CONSTRAINT editions_pkey PRIMARY KEY (series, day);

ALTER TABLE ONLY catalog.exports
    ADD CONSTRAINT exports_pkey PRIMARY KEY (id);

ALTER TABLE ONLY catalog.filings
    ADD CONSTRAINT filings_pkey PRIMARY KEY (accession);

ALTER TABLE ONLY catalog.fund_feeders
    ADD CONSTRAINT fund_feeders_pkey PRIMARY KEY (accession, seq);

ALTER TABLE ONLY catalog.fund_form_d_numbers
    ADD CONSTRAINT fund_form_d_numbers_pkey PRIMARY KEY (file_number, fund_id);

ALTER TABLE ONLY catalog.fund_former_names
    ADD CONSTRAINT fund_former_names_pkey PRIMARY KEY (name_key, fund_id);

ALTER TABLE ONLY catalog.fund_providers
    ADD CONSTRAINT fund_providers_pkey PRIMARY KEY (accession, seq);

ALTER TABLE ONLY catalog.fund_services
    ADD CONSTRAINT fund_services_pkey PRIMARY KEY (fund_id);

ALTER TABLE ONLY catalog.fund_versions
    ADD CONSTRAINT fund_versions_pkey PRIMARY KEY (fund_id, accession);

ALTER TABLE ONLY catalog.funds
    ADD CONSTRAINT funds_fund_id_key UNIQUE (fund_id);

ALTER TABLE ONLY catalog.funds
    ADD CONSTRAINT funds_pkey PRIMARY KEY (id);

ALTER TABLE ONLY catalog.identifiers
    ADD CONSTRAINT identifiers_pkey PRIMARY KEY (accession, seq);

ALTER TABLE ONLY catalog.listings
    ADD CONSTRAINT listings_pkey PRIMARY KEY (crd, series, first_on);

ALTER TABLE ONLY catalog.offering_funds
    ADD CONSTRAINT offering_funds_pkey PRIMARY KEY (accession, fund_id);

ALTER TABLE ONLY catalog.offering_issuers
    ADD CONSTRAINT offering_issuers_pkey PRIMARY KEY (accession, seq);

ALTER TABLE ONLY catalog.offering_people
    ADD CONSTRAINT offering_people_pkey PRIMARY KEY (accession, seq);

ALTER TABLE ONLY catalog.offering_recipients
    ADD CONSTRAINT offering_recipients_pkey PRIMARY KEY (accession, seq);

ALTER TABLE ONLY catalog.offerings
    ADD CONSTRAINT offerings_pkey PRIMARY KEY (accession);

ALTER TABLE ONLY catalog.offices
    ADD CONSTRAINT offices_pkey PRIMARY KEY (accession, seq);

ALTER TABLE ONLY catalog.overrides
    ADD CONSTRAINT overrides_pkey PRIMARY KEY (id);

ALTER TABLE ONLY catalog.owners
    ADD CONSTRAINT owners_pkey PRIMARY KEY (accession, seq);

ALTER TABLE ONLY catalog.provider_changes
    ADD CONSTRAINT provider_changes_pkey PRIMARY KEY (accession, seq);

ALTER TABLE ONLY catalog.provider_names
    ADD CONSTRAINT provider_names_name_crd_lei_key UNIQUE (name, crd, lei);

ALTER TABLE ONLY catalog.provider_names
    ADD CONSTRAINT provider_names_pkey PRIMARY KEY (id);

ALTER TABLE ONLY catalog.publications
    ADD CONSTRAINT publications_pkey PRIMARY KEY (seq);

ALTER TABLE ONLY catalog.records
    ADD CONSTRAINT records_pkey PRIMARY KEY (crd);

ALTER TABLE ONLY catalog.replaced_children
    ADD CONSTRAINT replaced_children_pkey PRIMARY KEY (accession, list, replaced_at);

ALTER TABLE ONLY catalog.replaced_offerings
    ADD CONSTRAINT replaced_offerings_pkey PRIMARY KEY (accession, replaced_at);

ALTER TABLE ONLY catalog.replaced_versions
    ADD CONSTRAINT replaced_versions_pkey PRIMARY KEY (accession, fund_id, replaced_at);

ALTER TABLE ONLY catalog.sub_advised_funds
    ADD CONSTRAINT sub_advised_funds_pkey PRIMARY KEY (accession, seq);

ALTER TABLE ONLY catalog.websites
    ADD CONSTRAINT websites_pkey PRIMARY KEY (accession, seq);

ALTER TABLE ONLY catalog.withdrawals
    ADD CONSTRAINT withdrawals_pkey PRIMARY KEY (accession);

ALTER TABLE ONLY dataops.alerts
    ADD CONSTRAINT alerts_pkey PRIMARY KEY (id);

ALTER TABLE ONLY dataops.extractions
    ADD CONSTRAINT extractions_pkey PRIMARY KEY (id);

ALTER TABLE ONLY dataops.fetched
    ADD CONSTRAINT fetched_pkey PRIMARY KEY (source_name, address);

ALTER TABLE ONLY dataops.filed_rows
    ADD CONSTRAINT filed_rows_pkey PRIMARY KEY (kind, crd, filing_id);

ALTER TABLE ONLY dataops.ingestion_runs
    ADD CONSTRAINT ingestion_runs_pkey PRIMARY KEY (id);

ALTER TABLE ONLY dataops.overrides
    ADD CONSTRAINT overrides_pkey PRIMARY KEY (id);

ALTER TABLE ONLY dataops.quality_metrics
    ADD CONSTRAINT quality_metrics_pkey PRIMARY KEY (day, metric, dimension);

ALTER TABLE ONLY dataops.quarantine
    ADD CONSTRAINT quarantine_pkey PRIMARY KEY (id);

ALTER TABLE ONLY dataops.refresh_queue
    ADD CONSTRAINT refresh_queue_pkey PRIMARY KEY (id);

ALTER TABLE ONLY dataops.sources
    ADD CONSTRAINT sources_pkey PRIMARY KEY (name);

ALTER TABLE ONLY feed.alerts
    ADD CONSTRAINT alerts_pkey PRIMARY KEY (search_id);

ALTER TABLE ONLY feed.attempts
    ADD CONSTRAINT attempts_pkey PRIMARY KEY (endpoint_id, message_id, no);

ALTER TABLE ONLY feed.endpoints
    ADD CONSTRAINT endpoints_pkey PRIMARY KEY (id);

ALTER TABLE ONLY feed.matched
    ADD CONSTRAINT matched_pkey PRIMARY KEY (arrival, crd);

ALTER TABLE ONLY feed.matches
    ADD CONSTRAINT matches_pkey PRIMARY KEY (hash, arrival);

ALTER TABLE ONLY feed.messages
    ADD CONSTRAINT messages_pkey PRIMARY KEY (endpoint_id, id);

ALTER TABLE ONLY feed.secrets
    ADD CONSTRAINT secrets_pkey PRIMARY KEY (id);

ALTER TABLE ONLY keys.api_keys
    ADD CONSTRAINT api_keys_hash_key UNIQUE (hash);

ALTER TABLE ONLY keys.api_keys
    ADD CONSTRAINT api_keys_pkey PRIMARY KEY (id);

ALTER TABLE ONLY keys.free_calls
    ADD CONSTRAINT free_calls_pkey PRIMARY KEY (user_id);

ALTER TABLE ONLY keys.usage_days
    ADD CONSTRAINT usage_days_pkey PRIMARY KEY (key_id, day, operation);

ALTER TABLE ONLY keys.usage_days_rest
    ADD CONSTRAINT usage_days_rest_pkey PRIMARY KEY (key_id, day, operation);

ALTER TABLE ONLY keys.usage_minutes
    ADD CONSTRAINT usage_minutes_pkey PRIMARY KEY (key_id, operation, minute);

ALTER TABLE ONLY keys.usage_minutes_rest
    ADD CONSTRAINT usage_minutes_rest_pkey PRIMARY KEY (key_id, operation, minute);

ALTER TABLE ONLY notifications.bounces
    ADD CONSTRAINT bounces_pkey PRIMARY KEY (address_hash);

ALTER TABLE ONLY notifications.daily
    ADD CONSTRAINT daily_pkey PRIMARY KEY (user_id, kind, day);

ALTER TABLE ONLY notifications.digests
    ADD CONSTRAINT digests_pkey PRIMARY KEY (user_id);

ALTER TABLE ONLY notifications.hits
    ADD CONSTRAINT hits_pkey PRIMARY KEY (mail_id, link_id, machine);

ALTER TABLE ONLY notifications.kinds
    ADD CONSTRAINT kinds_pkey PRIMARY KEY (id);

ALTER TABLE ONLY notifications.link_keys
    ADD CONSTRAINT link_keys_pkey PRIMARY KEY (id);

ALTER TABLE ONLY notifications.preferences
    ADD CONSTRAINT preferences_pkey PRIMARY KEY (user_id);

ALTER TABLE ONLY notifications.queue
    ADD CONSTRAINT queue_natural_key_key UNIQUE (natural_key);

ALTER TABLE ONLY notifications.queue
    ADD CONSTRAINT queue_pkey PRIMARY KEY (id);

ALTER TABLE ONLY notifications.tracked_links
    ADD CONSTRAINT tracked_links_pkey PRIMARY KEY (id);

ALTER TABLE ONLY notifications.tracked_mails
    ADD CONSTRAINT tracked_mails_pkey PRIMARY KEY (id);

ALTER TABLE ONLY notifications.tracked_mails
    ADD CONSTRAINT tracked_mails_queue_id_key UNIQUE (queue_id);

ALTER TABLE ONLY people.aliases
    ADD CONSTRAINT aliases_pkey PRIMARY KEY (uid);

ALTER TABLE ONLY people.board_vendors
    ADD CONSTRAINT board_vendors_pkey PRIMARY KEY (vendor);

ALTER TABLE ONLY people.boards
    ADD CONSTRAINT boards_pkey PRIMARY KEY (crd, vendor, token);

ALTER TABLE ONLY people.decisions
    ADD CONSTRAINT decisions_pkey PRIMARY KEY (id);

ALTER TABLE ONLY people.enriched_firms
    ADD CONSTRAINT enriched_firms_pkey PRIMARY KEY (crd);

ALTER TABLE ONLY people.enrichment_askers
    ADD CONSTRAINT enrichment_askers_pkey PRIMARY KEY (enrichment_id, user_id);

ALTER TABLE ONLY people.enrichments
    ADD CONSTRAINT enrichments_pkey PRIMARY KEY (id);

ALTER TABLE ONLY people.firms
    ADD CONSTRAINT firms_pkey PRIMARY KEY (crd);

ALTER TABLE ONLY people.lp_changed
    ADD CONSTRAINT lp_changed_pkey PRIMARY KEY (investment_id);

ALTER TABLE ONLY people.lp_commitments
    ADD CONSTRAINT lp_commitments_pkey PRIMARY KEY (investment_id, as_of);

ALTER TABLE ONLY people.lp_figures
    ADD CONSTRAINT lp_figures_pkey PRIMARY KEY (investment_id);

ALTER TABLE ONLY people.lp_investments
    ADD CONSTRAINT lp_investments_lp_id_fund_key_key UNIQUE (lp_id, fund_key);

ALTER TABLE ONLY people.lp_investments
    ADD CONSTRAINT lp_investments_pkey PRIMARY KEY (id);

ALTER TABLE ONLY people.lp_listings
    ADD CONSTRAINT lp_listings_pkey PRIMARY KEY (lp_id, as_of, run_id);

ALTER TABLE ONLY people.lp_matched
    ADD CONSTRAINT lp_matched_pkey PRIMARY KEY (only_row);

ALTER TABLE ONLY people.lp_statements
    ADD CONSTRAINT lp_statements_pkey PRIMARY KEY (investment_id, as_of, run_id);

ALTER TABLE ONLY people.lps
    ADD CONSTRAINT lps_name_key_state_key UNIQUE (name_key, state);

ALTER TABLE ONLY people.lps
    ADD CONSTRAINT lps_pkey PRIMARY KEY (id);

ALTER TABLE ONLY people.origins
    ADD CONSTRAINT origins_pkey PRIMARY KEY (uid, former_uid);

ALTER TABLE ONLY people.postings
    ADD CONSTRAINT postings_pkey PRIMARY KEY (crd, vendor, token, posting_id);

ALTER TABLE ONLY people.posts
    ADD CONSTRAINT posts_pkey PRIMARY KEY (crd, sight_uid);

ALTER TABLE ONLY people.profiles
    ADD CONSTRAINT profiles_pkey PRIMARY KEY (person_uid);

ALTER TABLE ONLY people.progress
    ADD CONSTRAINT progress_pkey PRIMARY KEY (only_row);

ALTER TABLE ONLY people.suppressed_at
    ADD CONSTRAINT suppressed_at_pkey PRIMARY KEY (crd, sight_uid, person_uid);

ALTER TABLE ONLY people.units
    ADD CONSTRAINT units_pkey PRIMARY KEY (uid, n);

ALTER TABLE ONLY people.units
    ADD CONSTRAINT units_unit_key UNIQUE (unit);

ALTER TABLE ONLY platform.audit
    ADD CONSTRAINT audit_pkey PRIMARY KEY (id);

ALTER TABLE ONLY platform.changes_log
    ADD CONSTRAINT changes_log_pkey PRIMARY KEY (id);

ALTER TABLE ONLY platform.changes
    ADD CONSTRAINT changes_pkey PRIMARY KEY (seq);

ALTER TABLE ONLY platform.idempotency
    ADD CONSTRAINT idempotency_id_key UNIQUE (id);

ALTER TABLE ONLY platform.idempotency
    ADD CONSTRAINT idempotency_pkey PRIMARY KEY (user_id, key_hash);

ALTER TABLE ONLY platform.outbox
    ADD CONSTRAINT outbox_pkey PRIMARY KEY (id);

ALTER TABLE ONLY platform.started_runs
    ADD CONSTRAINT started_runs_pkey PRIMARY KEY (task_id);

CREATE INDEX attempts_at ON accounts.attempts USING btree (at);

CREATE INDEX attempts_subject ON accounts.attempts USING btree (kind, subject, at);

CREATE INDEX attempts_whom ON accounts.attempts USING btree (kind, SUBSTRING(subject FROM 1 FOR 16));

CREATE INDEX mail_tokens_user ON accounts.mail_tokens USING btree (user_id, purpose);

CREATE INDEX refresh_tokens_session ON accounts.refresh_tokens USING btree (session_id);

CREATE INDEX saved_searches_user ON accounts.saved_searches USING btree (user_id, created_at DESC, id);

CREATE UNIQUE INDEX sessions_browser ON accounts.sessions USING btree (browser_hash) WHERE (browser_hash IS NOT NULL);

CREATE INDEX sessions_user ON accounts.sessions USING btree (user_id) WHERE (ended_at IS NULL);

CREATE INDEX users_deleted ON accounts.users USING btree (deleted_at) WHERE (deleted_at IS NOT NULL);

CREATE INDEX users_trial ON accounts.users USING btree (trial_ends_at) WHERE (trial_ends_at IS NOT NULL);

CREATE INDEX watchlist_items_adviser ON accounts.watchlist_items USING btree (adviser_crd, user_id);

CREATE INDEX watchlist_items_user ON accounts.watchlist_items USING btree (user_id, created_at DESC, id);

CREATE INDEX alerts_waiting ON billing.alerts USING btree (crossed_at) WHERE (queued_at IS NULL);

CREATE INDEX charges_account ON ONLY billing.charges USING btree (user_id, id);

CREATE INDEX charges_rest_user_id_id_idx ON billing.charges_rest USING btree (user_id, id);

CREATE INDEX entitlements_charge ON billing.entitlements USING btree (charge_id);

CREATE INDEX executions_at ON billing.executions USING btree (at);

CREATE INDEX payments_customer ON billing.payments USING btree (customer);

CREATE INDEX payments_failed ON billing.payments USING btree (failed_at) WHERE (status = 'failed'::text);

CREATE INDEX payments_subscription ON billing.payments USING btree (subscription);

CREATE INDEX payments_user ON billing.payments USING btree (user_id);

CREATE INDEX receipt_lines_made ON billing.receipt_lines USING btree (user_id, made_at);

CREATE INDEX receipt_lines_waiting ON billing.receipt_lines USING btree (bought_at) WHERE (made_at IS NULL);

CREATE INDEX stripe_events_received ON billing.stripe_events USING btree (received_at);

CREATE INDEX subscriptions_customer ON billing.subscriptions USING btree (customer);

CREATE INDEX subscriptions_user ON billing.subscriptions USING btree (user_id);

CREATE INDEX adviser_links_affiliate ON catalog.adviser_links USING btree (affiliate_crd);

CREATE INDEX adviser_versions_host ON catalog.adviser_versions USING btree (reverse("substring"(website, '^[a-z]+://([^/:?#]+)'::text)) COLLATE "C") WHERE (website IS NOT NULL);

CREATE INDEX advisers_canonical ON catalog.advisers USING btree (canonical_gp_id);

CREATE INDEX advisers_domain_stem ON catalog.advisers USING btree (website_domain, name_stem);

CREATE INDEX affiliates_named ON catalog.affiliates USING btree (affiliate_crd, crd) WHERE (affiliate_crd IS NOT NULL);

CREATE INDEX disclosures_crd ON catalog.disclosures USING btree (crd);

CREATE INDEX exports_user ON catalog.exports USING btree (user_id);

CREATE INDEX filings_crd_date ON catalog.filings USING btree (crd, filing_date DESC);

CREATE INDEX filings_date_source ON catalog.filings USING btree (filing_date, source);

CREATE INDEX filings_day ON catalog.filings USING btree (filing_date, accession);

CREATE INDEX filings_seldom ON catalog.filings USING btree (amendment_type, filing_date, accession) WHERE (amendment_type = ANY (ARRAY['initial'::text, 'withdrawal'::text]));

CREATE INDEX fund_form_d_numbers_fund ON catalog.fund_form_d_numbers USING btree (fund_id);

CREATE INDEX fund_former_names_fund ON catalog.fund_former_names USING btree (fund_id);

CREATE INDEX fund_versions_accession ON catalog.fund_versions USING btree (accession);

CREATE INDEX funds_adviser ON catalog.funds USING btree (adviser_crd);

CREATE INDEX funds_name_key ON catalog.funds USING btree (name_key);

CREATE INDEX listings_series ON catalog.listings USING btree (series, last_on);

CREATE INDEX offering_funds_fund ON catalog.offering_funds USING btree (fund_id);

CREATE INDEX offering_issuers_cik ON catalog.offering_issuers USING btree (cik);

CREATE INDEX offering_issuers_name ON catalog.offering_issuers USING btree (name_key);

CREATE INDEX offerings_amount ON catalog.offerings USING btree (COALESCE(offering_amount, ('-1'::integer)::bigint), accession);

CREATE INDEX offerings_chain ON catalog.offerings USING btree (chain);

CREATE INDEX offerings_day ON catalog.offerings USING btree (filing_date, accession);

CREATE INDEX offerings_file_number ON catalog.offerings USING btree (file_number);

CREATE INDEX offerings_previous ON catalog.offerings USING btree (previous_accession) WHERE (previous_accession IS NOT NULL);

CREATE INDEX offerings_sold ON catalog.offerings USING btree (COALESCE(amount_sold, ('-1'::integer)::bigint), accession);

CREATE UNIQUE INDEX overrides_active ON catalog.overrides USING btree (COALESCE(crd, fund_id), field) WHERE (removed_at IS NULL);

CREATE INDEX overrides_by_crd ON catalog.overrides USING btree (crd);

CREATE INDEX overrides_by_fund ON catalog.overrides USING btree (fund_id);

CREATE INDEX provider_changes_adviser ON catalog.provider_changes USING btree (crd);

CREATE INDEX provider_changes_day ON catalog.provider_changes USING btree (filing_date, accession, seq);

CREATE INDEX replaced_children_affiliates ON catalog.replaced_children USING gin (jsonb_path_query_array(rows, '$[*]."affiliate_crd"'::jsonpath)) WHERE (list = 'affiliates'::text);

CREATE INDEX replaced_children_sub_advised ON catalog.replaced_children USING gin (jsonb_path_query_array(rows, '$[*]."fund_id"'::jsonpath)) WHERE (list = 'sub_advised_funds'::text);

CREATE INDEX replaced_offerings_names ON catalog.replaced_offerings USING gin (name_keys);

CREATE INDEX replaced_offerings_number ON catalog.replaced_offerings USING btree (file_number);

CREATE INDEX replaced_offerings_relinked ON catalog.replaced_offerings USING btree (accession) WHERE relinked;

CREATE INDEX replaced_versions_affiliates ON catalog.replaced_versions USING gin (((said -> 'affiliates'::text))) WHERE (fund_id = ''::text);

CREATE INDEX replaced_versions_crd ON catalog.replaced_versions USING btree (crd);

CREATE INDEX replaced_versions_fund ON catalog.replaced_versions USING btree (fund_id) WHERE (fund_id <> ''::text);

CREATE INDEX replaced_versions_host ON catalog.replaced_versions USING btree (reverse("substring"((said ->> 'website'::text), '^[a-z]+://([^/:?#]+)'::text)) COLLATE "C") WHERE (fund_id = ''::text);

CREATE INDEX replaced_versions_numbers ON catalog.replaced_versions USING gin (((said -> 'form_d_file_numbers'::text))) WHERE (fund_id <> ''::text);

CREATE INDEX sub_advised_funds_fund ON catalog.sub_advised_funds USING btree (fund_id, crd) WHERE (fund_id IS NOT NULL);

CREATE INDEX withdrawals_crd ON catalog.withdrawals USING btree (crd);

CREATE UNIQUE INDEX alerts_one_open ON dataops.alerts USING btree (kind, COALESCE(source_name, ''::text), subject) WHERE (resolved_at IS NULL);

CREATE INDEX alerts_open ON dataops.alerts USING btree (created_at DESC) WHERE (resolved_at IS NULL);

CREATE UNIQUE INDEX extractions_active ON dataops.extractions USING btree (source_name) WHERE (state = ANY (ARRAY['queued'::text, 'running'::text]));

CREATE INDEX extractions_source ON dataops.extractions USING btree (source_name, id DESC);

CREATE INDEX ingestion_runs_extraction ON dataops.ingestion_runs USING btree (extraction_id) WHERE (extraction_id IS NOT NULL);

CREATE INDEX ingestion_runs_series ON dataops.ingestion_runs USING btree (series, id DESC) WHERE (state = 'completed'::text);

CREATE INDEX ingestion_runs_started ON dataops.ingestion_runs USING btree (started_at DESC);

CREATE UNIQUE INDEX overrides_active ON dataops.overrides USING btree (type, entity_id, field) WHERE (removed_at IS NULL);

CREATE INDEX quarantine_run ON dataops.quarantine USING btree (run_id);

CREATE UNIQUE INDEX refresh_queue_active ON dataops.refresh_queue USING btree (entity_type, entity_id) WHERE (state = ANY (ARRAY['queued'::text, 'running'::text]));

CREATE INDEX refresh_queue_next ON dataops.refresh_queue USING btree (priority DESC, id) WHERE (state = ANY (ARRAY['queued'::text, 'running'::text]));

CREATE INDEX alerts_hash ON feed.alerts USING btree (hash);

CREATE INDEX alerts_user ON feed.alerts USING btree (user_id, created_at);

CREATE INDEX endpoints_behind ON feed.endpoints USING btree ("position") WHERE (state = 'active'::text);

CREATE INDEX endpoints_user ON feed.endpoints USING btree (user_id, created_at);

CREATE INDEX matches_at ON feed.matches USING btree (at);

CREATE INDEX messages_created ON feed.messages USING btree (created_at);

CREATE INDEX messages_newest ON feed.messages USING btree (endpoint_id, created_at, seq_high);

CREATE INDEX messages_open ON feed.messages USING btree (endpoint_id, next_at) WHERE (state = ANY (ARRAY['waiting'::text, 'sending'::text]));

CREATE INDEX secrets_endpoint ON feed.secrets USING btree (endpoint_id);

CREATE INDEX api_keys_user ON keys.api_keys USING btree (user_id);

CREATE INDEX daily_day ON notifications.daily USING btree (day);

CREATE INDEX queue_account ON notifications.queue USING btree (user_id, kind, id);

CREATE INDEX queue_due ON notifications.queue USING btree (COALESCE(lease_until, not_before), id) WHERE (state = ANY (ARRAY['queued'::text, 'sending'::text]));

CREATE INDEX queue_sent ON notifications.queue USING btree (kind, sent_at) WHERE (state = 'sent'::text);

CREATE INDEX tracked_links_mail ON notifications.tracked_links USING btree (mail_id);

CREATE INDEX tracked_mails_account ON notifications.tracked_mails USING btree (user_id, created_at);

CREATE INDEX tracked_mails_age ON notifications.tracked_mails USING btree (created_at);

CREATE INDEX tracked_mails_kind ON notifications.tracked_mails USING btree (kind, created_at);

CREATE INDEX aliases_person ON people.aliases USING btree (person_uid);

CREATE INDEX decisions_override ON people.decisions USING btree (override_id);

CREATE INDEX enrichment_askers_user ON people.enrichment_askers USING btree (user_id, asked_at);

CREATE INDEX enrichments_crd ON people.enrichments USING btree (crd, created_at);

CREATE INDEX enrichments_finished ON people.enrichments USING btree (finished_at);

CREATE UNIQUE INDEX enrichments_open ON people.enrichments USING btree (crd) WHERE (state = ANY (ARRAY['queued'::text, 'running'::text]));

CREATE INDEX lp_figures_vintage ON people.lp_figures USING btree (vintage_year);

CREATE INDEX lp_investments_crd ON people.lp_investments USING btree (match_crd) WHERE (match_crd IS NOT NULL);

CREATE INDEX lp_investments_fund ON people.lp_investments USING btree (match_fund_id) WHERE (match_fund_id IS NOT NULL);

CREATE INDEX lp_statements_run ON people.lp_statements USING btree (run_id);

CREATE INDEX postings_closed ON people.postings USING btree (closed_at) WHERE (closed_at IS NOT NULL);

CREATE INDEX posts_decided ON people.posts USING btree (person_uid) WHERE (person_uid <> rule_uid);

CREATE INDEX posts_name ON people.posts USING btree (last_key, first_key);

CREATE INDEX posts_number ON people.posts USING btree (number) WHERE (number IS NOT NULL);

CREATE INDEX posts_person ON people.posts USING btree (person_uid);

CREATE INDEX posts_rule ON people.posts USING btree (rule_uid);

CREATE INDEX posts_sight ON people.posts USING btree (sight_uid);

CREATE INDEX profiles_updated ON people.profiles USING btree (updated_at);

CREATE INDEX suppressed_at_person ON people.suppressed_at USING btree (person_uid);

CREATE UNIQUE INDEX suppressions_once ON people.suppressions USING btree (key_hash, person_uid, of_uid, override_id);

CREATE INDEX suppressions_person ON people.suppressions USING btree (person_uid);

CREATE INDEX changes_at ON platform.changes USING btree (at);

CREATE INDEX changes_crd ON platform.changes USING btree (crd, seq);

CREATE INDEX changes_kind ON platform.changes USING btree (kind, seq);

CREATE INDEX idempotency_created ON platform.idempotency USING btree (created_at);

CREATE INDEX outbox_handed ON platform.outbox USING btree (handed_at) WHERE (handed_at IS NOT NULL);

CREATE INDEX outbox_waiting ON platform.outbox USING btree (attempts, created_at, id) WHERE (handed_at IS NULL);

ALTER INDEX billing.charges_pkey ATTACH PARTITION billing.charges_rest_pkey;

ALTER INDEX billing.charges_account ATTACH PARTITION billing.charges_rest_user_id_id_idx;

ALTER INDEX keys.usage_days_pkey ATTACH PARTITION keys.usage_days_rest_pkey;

ALTER INDEX keys.usage_minutes_pkey ATTACH PARTITION keys.usage_minutes_rest_pkey;

CREATE TRIGGER users_changed AFTER UPDATE ON accounts.users FOR EACH ROW WHEN (((((((old.is_admin IS DISTINCT FROM new.is_admin) OR (old.subscription_plan IS DISTINCT FROM new.subscription_plan)) OR (old.api_tier IS DISTINCT FROM new.api_tier)) OR (old.trial_ends_at IS DISTINCT FROM new.trial_ends_at)) OR (old.deleted_at IS DISTINCT FROM new.deleted_at)) OR (old.email_verified_at IS DISTINCT FROM new.email_verified_at))) EXECUTE FUNCTION accounts.announce_change();

CREATE TRIGGER users_removed AFTER DELETE ON accounts.users FOR EACH ROW EXECUTE FUNCTION accounts.announce_change();

CREATE TRIGGER charges_append_only BEFORE DELETE OR UPDATE ON billing.charges FOR EACH ROW EXECUTE FUNCTION billing.refuse_change();

CREATE TRIGGER charges_never_truncated BEFORE TRUNCATE ON billing.charges FOR EACH STATEMENT EXECUTE FUNCTION billing.refuse_change();

CREATE TRIGGER charges_never_truncated BEFORE TRUNCATE ON billing.charges_rest FOR EACH STATEMENT EXECUTE FUNCTION billing.refuse_change();

ALTER TABLE ONLY accounts.collection_items
    ADD CONSTRAINT collection_items_collection_id_fkey FOREIGN KEY (collection_id) REFERENCES accounts.collections(id) ON DELETE CASCADE;

ALTER TABLE ONLY accounts.collections
    ADD CONSTRAINT collections_user_id_fkey FOREIGN KEY (user_id) REFERENCES accounts.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY accounts.mail_tokens
    ADD CONSTRAINT mail_tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES accounts.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY accounts.refresh_tokens
    ADD CONSTRAINT refresh_tokens_session_id_fkey FOREIGN KEY (session_id) REFERENCES accounts.sessions(id) ON DELETE CASCADE;

ALTER TABLE ONLY accounts.saved_searches
    ADD CONSTRAINT saved_searches_user_id_fkey FOREIGN KEY (user_id) REFERENCES accounts.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY accounts.sessions
    ADD CONSTRAINT sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES accounts.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY accounts.survey_answers
    ADD CONSTRAINT survey_answers_user_id_fkey FOREIGN KEY (user_id) REFERENCES accounts.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY accounts.watchlist_items
    ADD CONSTRAINT watchlist_items_user_id_fkey FOREIGN KEY (user_id) REFERENCES accounts.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY dataops.alerts
    ADD CONSTRAINT alerts_run_id_fkey FOREIGN KEY (run_id) REFERENCES dataops.ingestion_runs(id);

ALTER TABLE ONLY dataops.fetched
    ADD CONSTRAINT fetched_run_id_fkey FOREIGN KEY (run_id) REFERENCES dataops.ingestion_runs(id);

ALTER TABLE ONLY dataops.fetched
    ADD CONSTRAINT fetched_source_name_fkey FOREIGN KEY (source_name) REFERENCES dataops.sources(name);

ALTER TABLE ONLY dataops.ingestion_runs
    ADD CONSTRAINT ingestion_runs_extraction_id_fkey FOREIGN KEY (extraction_id) REFERENCES dataops.extractions(id);

ALTER TABLE ONLY dataops.quarantine
    ADD CONSTRAINT quarantine_run_id_fkey FOREIGN KEY (run_id) REFERENCES dataops.ingestion_runs(id);

ALTER TABLE ONLY dataops.refresh_queue
    ADD CONSTRAINT refresh_queue_extraction_id_fkey FOREIGN KEY (extraction_id) REFERENCES dataops.extractions(id);

ALTER TABLE ONLY feed.attempts
    ADD CONSTRAINT attempts_endpoint_id_message_id_fkey FOREIGN KEY (endpoint_id, message_id) REFERENCES feed.messages(endpoint_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY feed.messages
    ADD CONSTRAINT messages_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES feed.endpoints(id) ON DELETE CASCADE;

ALTER TABLE ONLY feed.secrets
    ADD CONSTRAINT secrets_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES feed.endpoints(id) ON DELETE CASCADE;

ALTER TABLE ONLY notifications.hits
    ADD CONSTRAINT hits_mail_id_fkey FOREIGN KEY (mail_id) REFERENCES notifications.tracked_mails(id) ON DELETE CASCADE;

ALTER TABLE ONLY notifications.tracked_links
    ADD CONSTRAINT tracked_links_mail_id_fkey FOREIGN KEY (mail_id) REFERENCES notifications.tracked_mails(id) ON DELETE CASCADE;

ALTER TABLE ONLY people.enrichment_askers
    ADD CONSTRAINT enrichment_askers_enrichment_id_fkey FOREIGN KEY (enrichment_id) REFERENCES people.enrichments(id) ON DELETE CASCADE;

ALTER TABLE ONLY people.lp_changed
    ADD CONSTRAINT lp_changed_investment_id_fkey FOREIGN KEY (investment_id) REFERENCES people.lp_investments(id) ON DELETE CASCADE;

ALTER TABLE ONLY people.lp_commitments
    ADD CONSTRAINT lp_commitments_investment_id_fkey FOREIGN KEY (investment_id) REFERENCES people.lp_investments(id) ON DELETE CASCADE;

ALTER TABLE ONLY people.lp_figures
    ADD CONSTRAINT lp_figures_investment_id_fkey FOREIGN KEY (investment_id) REFERENCES people.lp_investments(id) ON DELETE CASCADE;

ALTER TABLE ONLY people.lp_investments
    ADD CONSTRAINT lp_investments_lp_id_fkey FOREIGN KEY (lp_id) REFERENCES people.lps(id) ON DELETE CASCADE;

ALTER TABLE ONLY people.lp_listings
    ADD CONSTRAINT lp_listings_lp_id_fkey FOREIGN KEY (lp_id) REFERENCES people.lps(id) ON DELETE CASCADE;

ALTER TABLE ONLY people.lp_statements
    ADD CONSTRAINT lp_statements_investment_id_fkey FOREIGN KEY (investment_id) REFERENCES people.lp_investments(id) ON DELETE CASCADE;

ALTER TABLE ONLY people.postings
    ADD CONSTRAINT postings_crd_vendor_token_fkey FOREIGN KEY (crd, vendor, token) REFERENCES people.boards(crd, vendor, token) ON DELETE CASCADE;
