-- +goose Up
CREATE OR REPLACE VIEW catalog.pub_gp AS
SELECT crd, canonical_gp_id, legal_name, business_name, city, state, country, country_code, registration_status, total_aum, primary_strategy,
       employee_count, fund_count, website, latest_filed_on, withdrawn_on, newest_filed_on, not_listed_since, registered_on
FROM catalog.advisers;

CREATE OR REPLACE VIEW catalog.pub_fund AS
SELECT id, fund_id, adviser_crd, name, strategy, vintage_year, gross_asset_value, status, first_filed_on, latest_filed_on, arrival, is_feeder
FROM catalog.funds;

-- What each filing says of its adviser, for those who compare filings.
CREATE VIEW catalog.pub_gp_version AS
SELECT v.crd, v.accession, v.legal_name, v.raum, v.employee_count, f.source, f.filing_date, f.submitted_at
FROM catalog.adviser_versions v JOIN catalog.filings f USING (crd, accession);

-- +goose Down
DROP VIEW catalog.pub_gp_version;
DROP VIEW catalog.pub_fund;
CREATE VIEW catalog.pub_fund AS
SELECT id, fund_id, adviser_crd, name, strategy, vintage_year, gross_asset_value, status, first_filed_on, latest_filed_on, arrival
FROM catalog.funds;
DROP VIEW catalog.pub_gp;
CREATE VIEW catalog.pub_gp AS
SELECT crd, canonical_gp_id, legal_name, business_name, city, state, country, country_code, registration_status, total_aum, primary_strategy,
       employee_count, fund_count, website, latest_filed_on, withdrawn_on
FROM catalog.advisers;
