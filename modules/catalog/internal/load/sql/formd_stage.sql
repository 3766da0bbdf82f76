-- The notices of one document as they stand. no is this load's own number of a notice.
CREATE TEMP TABLE s_offering (
    no int, accession text, file_number text, form_type text, filing_date date, previous_accession text, sic_code text,
    schema_version text, industry_group text, fund_type text, is_40_act boolean, revenue_range text, nav_range text,
    exemptions text[], first_sale date, yet_to_occur boolean, over_one_year boolean, securities text[],
    minimum_investment bigint, offering_amount bigint, indefinite boolean, amount_sold bigint, amount_remaining bigint,
    non_accredited boolean, non_accredited_count bigint, investor_count bigint, sales_commission bigint,
    finders_fee bigint, gross_proceeds bigint
) ON COMMIT DROP;

-- The digest of a notice with everything that hangs on it, known when the whole document has passed.
CREATE TEMP TABLE s_offering_digest (no int, digest bytea) ON COMMIT DROP;

CREATE TEMP TABLE s_issuer (
    no int, seq int, cik text, name text, name_key text, name_form text, previous_names text[], street1 text, street2 text,
    city text, state text, state_name text, postal_code text, phone text, jurisdiction text, entity_type text, year_formed int
) ON COMMIT DROP;

CREATE TEMP TABLE s_person (
    no int, seq int, first_name text, middle_name text, last_name text, entity boolean, city text, state text, country text,
    relationships text[], clarification text
) ON COMMIT DROP;

CREATE TEMP TABLE s_recipient (
    no int, seq int, name text, crd text, broker_dealer text, broker_crd text, city text, state text, country text,
    states text[], is_foreign boolean
) ON COMMIT DROP;
