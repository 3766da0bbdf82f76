-- +goose Up
CREATE OR REPLACE VIEW catalog.pub_fund AS
SELECT id, fund_id, adviser_crd, name, strategy, vintage_year, gross_asset_value, status, first_filed_on, latest_filed_on, arrival, is_feeder, closed_on
FROM catalog.funds;

CREATE OR REPLACE VIEW catalog.pub_gp AS
SELECT crd, canonical_gp_id, legal_name, business_name, city, state, country, country_code, registration_status, total_aum, primary_strategy,
       employee_count, fund_count, website, latest_filed_on, withdrawn_on, newest_filed_on, not_listed_since, registered_on,
       withdrawn_on IS NOT NULL OR not_listed_since IS NOT NULL AS former, net_gav
FROM catalog.advisers;

-- +goose Down
DROP VIEW catalog.pub_fund;
CREATE VIEW catalog.pub_fund AS
SELECT id, fund_id, adviser_crd, name, strategy, vintage_year, gross_asset_value, status, first_filed_on, latest_filed_on, arrival, is_feeder
FROM catalog.funds;

DROP VIEW catalog.pub_gp;
CREATE VIEW catalog.pub_gp AS
SELECT crd, canonical_gp_id, legal_name, business_name, city, state, country, country_code, registration_status, total_aum, primary_strategy,
       employee_count, fund_count, website, latest_filed_on, withdrawn_on, newest_filed_on, not_listed_since, registered_on,
       withdrawn_on IS NOT NULL OR not_listed_since IS NOT NULL AS former
FROM catalog.advisers;
