-- The document as it stands. Numbers (no, filing_no, fund_no) are this load's own.
CREATE TEMP TABLE s_filing (
    no int, accession text, crd text, source text, filing_id bigint, filing_date date, submitted_at timestamptz,
    funds_listed boolean, legal_name text, business_name text, sec_number text, registration text, sec_status text,
    status_date date, street1 text, street2 text, city text, state text, country text, postal_code text,
    private_residence boolean, phone text, lei text, form_version text, employee_count bigint, raum bigint,
    raum_discretionary bigint, raum_non_discretionary bigint, org_form text, fiscal_year_end text, org_state text,
    org_country text, advises_funds boolean, reported_fund_count bigint, reported_fund_gav bigint
) ON COMMIT DROP;

-- What of a filing was known only when the whole document had passed.
CREATE TEMP TABLE s_extra (
    no int, website text, filing_types text[], org_form text, fiscal_year_end text, org_state text, org_country text,
    digest bytea
) ON COMMIT DROP;

CREATE TEMP TABLE s_fund (
    no int, filing_no int, fund_id text, reference_id text, name text, state text, country text, is_3c1 boolean,
    is_3c7 boolean, is_master boolean, is_feeder boolean, master_fund_name text, master_fund_id text,
    is_fund_of_funds boolean, fund_type text, fund_type_other text, gross_asset_value bigint, minimum_investment bigint,
    beneficial_owners_count bigint, pct_owned_related double precision, pct_owned_funds double precision,
    pct_owned_non_us double precision, annual_audit boolean, gaap boolean, unqualified_opinion text, hash bytea
) ON COMMIT DROP;

-- What was gathered for the funds that have any: names and numbers, sorted, each once. hash stands for the fund and these.
CREATE TEMP TABLE s_fund_list (fund_no int, auditors text[], form_d_file_numbers text[], hash bytea) ON COMMIT DROP;
