-- +goose Up
-- What a filing said before a later document restated it: with it, known_at answers as it would have answered then.
-- Children of a filing (owners, disclosures, …) and notices of Form D are replaced without a trace.
CREATE TABLE catalog.replaced_versions (
    accession    text NOT NULL,
    fund_id      text NOT NULL,                    -- empty: what it said of the adviser
    crd          text NOT NULL,
    said         jsonb,                            -- the row of adviser_versions or fund_versions; null = it did not name the fund
    filing_date  date NOT NULL,                    -- the filing's own columns, as they stood
    submitted_at timestamptz NOT NULL,
    funds_listed boolean NOT NULL,
    processed_at timestamptz NOT NULL,             -- it stood from then
    replaced_at  timestamptz NOT NULL DEFAULT now(), -- until then
    PRIMARY KEY (accession, fund_id, replaced_at)
);
CREATE INDEX replaced_versions_crd ON catalog.replaced_versions (crd);
CREATE INDEX replaced_versions_fund ON catalog.replaced_versions (fund_id) WHERE fund_id <> '';

CREATE OR REPLACE VIEW catalog.pub_gp AS
SELECT crd, canonical_gp_id, legal_name, business_name, city, state, country, country_code, registration_status,
       total_aum, primary_strategy, employee_count, fund_count, website, latest_filed_on, withdrawn_on
FROM catalog.advisers;

-- Which filing reports which fund.
CREATE VIEW catalog.pub_fund_filing AS
SELECT v.fund_id, v.crd, f.accession, f.source, f.form_type, f.amendment_type, f.filing_date, f.submitted_at, f.status, f.processed_at
FROM catalog.fund_versions v JOIN catalog.filings f USING (accession);

-- +goose Down
DROP VIEW catalog.pub_fund_filing;
DROP VIEW catalog.pub_gp;
CREATE VIEW catalog.pub_gp AS
SELECT crd, canonical_gp_id, legal_name, business_name, city, state, country, country_code, registration_status,
       total_aum, primary_strategy, employee_count, fund_count, website, latest_filed_on
FROM catalog.advisers;
DROP TABLE catalog.replaced_versions;
