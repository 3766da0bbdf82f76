-- The order of filings, as one column of the views that publish filings: date, authority of the source, submission, FilingID, accession
-- number. It is the order of catalog/internal/fold (fold.Order): whoever asks SQL for the newest filing gets the one that the catalog shows.

-- +goose Up
CREATE TYPE catalog.version_order AS (
    filing_date  date,
    authority    integer,
    submitted_at timestamptz,
    filing_id    bigint,
    accession    text COLLATE "C"
);

CREATE FUNCTION catalog.order_version(source text, filing_date date, submitted_at timestamptz, filing_id bigint, accession text)
RETURNS catalog.version_order LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN ROW(filing_date, CASE source WHEN 'fund_list' THEN 0 WHEN 'roster' THEN 1 WHEN 'iapd_feed' THEN 2 ELSE 3 END, submitted_at,
    coalesce(filing_id, 0), accession)::catalog.version_order;

CREATE OR REPLACE VIEW catalog.pub_filing AS
SELECT f.accession, f.crd, f.source, f.form_type, f.amendment_type, f.filing_date, f.submitted_at, f.status,
    COALESCE(a.known_at, f.processed_at) AS processed_at, f.arrival, v.silent,
    catalog.order_version(f.source, f.filing_date, f.submitted_at, f.filing_id, f.accession) AS version_order
FROM catalog.filings f
LEFT JOIN catalog.arrivals a USING (processed_at)
LEFT JOIN catalog.adviser_versions v ON v.crd = f.crd AND v.accession = f.accession;

CREATE OR REPLACE VIEW catalog.pub_adviser_filing AS
SELECT f.accession, f.crd, f.source, f.form_type, f.filing_date, f.submitted_at, f.status, f.funds_listed, f.arrival,
    v.registration, v.status_date, v.raum,
    catalog.order_version(f.source, f.filing_date, f.submitted_at, f.filing_id, f.accession) AS version_order
FROM catalog.filings f LEFT JOIN catalog.adviser_versions v USING (crd, accession);

CREATE OR REPLACE VIEW catalog.pub_gp_version AS
SELECT v.crd, v.accession, v.legal_name, v.raum, v.employee_count, f.source, f.filing_date, f.submitted_at,
    catalog.order_version(f.source, f.filing_date, f.submitted_at, f.filing_id, f.accession) AS version_order
FROM catalog.adviser_versions v JOIN catalog.filings f USING (crd, accession);

CREATE OR REPLACE VIEW catalog.pub_fund_filing AS
SELECT v.fund_id, v.crd, f.accession, f.source, f.form_type, f.amendment_type, f.filing_date, f.submitted_at, f.status,
    COALESCE(a.known_at, f.processed_at) AS processed_at,
    catalog.order_version(f.source, f.filing_date, f.submitted_at, f.filing_id, f.accession) AS version_order
FROM catalog.fund_versions v JOIN catalog.filings f USING (accession)
LEFT JOIN catalog.arrivals a USING (processed_at);

CREATE OR REPLACE VIEW catalog.pub_owner AS
SELECT o.accession, o.seq, o.crd, o.schedule, o.name, o.entity_type, o.owned_entity, o.title, o.acquired_year, o.acquired_month,
    o.ownership_code, o.control_person, o.public_reporting, o.owner_id, f.filing_date, f.submitted_at,
    catalog.order_version(f.source, f.filing_date, f.submitted_at, f.filing_id, f.accession) AS version_order
FROM catalog.owners o JOIN catalog.filings f USING (accession);

-- EDGAR's data sets give the day of a notice and no time: midnight UTC.
CREATE OR REPLACE VIEW catalog.pub_offering AS
SELECT o.accession, o.file_number, o.form_type, o.filing_date, o.first_sale, o.exemptions, o.offering_amount, o.indefinite, o.amount_sold,
    o.investor_count, o.status, COALESCE(a.known_at, o.processed_at) AS processed_at, l.fund_id, l.matched_by, f.adviser_crd,
    GREATEST(l.arrival, f.arrival) AS arrival,
    catalog.order_version('form_d', o.filing_date, o.filing_date::timestamp AT TIME ZONE 'UTC', NULL, o.accession) AS version_order
FROM catalog.offerings o
JOIN catalog.offering_funds l USING (accession)
JOIN catalog.funds f USING (fund_id)
LEFT JOIN catalog.arrivals a USING (processed_at);

-- +goose Down
DROP VIEW catalog.pub_filing, catalog.pub_adviser_filing, catalog.pub_gp_version, catalog.pub_fund_filing, catalog.pub_owner, catalog.pub_offering;
DROP FUNCTION catalog.order_version;
DROP TYPE catalog.version_order;

CREATE VIEW catalog.pub_filing AS
SELECT f.accession, f.crd, f.source, f.form_type, f.amendment_type, f.filing_date, f.submitted_at, f.status,
    COALESCE(a.known_at, f.processed_at) AS processed_at, f.arrival, v.silent
FROM catalog.filings f
LEFT JOIN catalog.arrivals a USING (processed_at)
LEFT JOIN catalog.adviser_versions v ON v.crd = f.crd AND v.accession = f.accession;

CREATE VIEW catalog.pub_adviser_filing AS
SELECT f.accession, f.crd, f.source, f.form_type, f.filing_date, f.submitted_at, f.status, f.funds_listed, f.arrival,
    v.registration, v.status_date, v.raum
FROM catalog.filings f LEFT JOIN catalog.adviser_versions v USING (crd, accession);

CREATE VIEW catalog.pub_gp_version AS
SELECT v.crd, v.accession, v.legal_name, v.raum, v.employee_count, f.source, f.filing_date, f.submitted_at
FROM catalog.adviser_versions v JOIN catalog.filings f USING (crd, accession);

CREATE VIEW catalog.pub_fund_filing AS
SELECT v.fund_id, v.crd, f.accession, f.source, f.form_type, f.amendment_type, f.filing_date, f.submitted_at, f.status,
    COALESCE(a.known_at, f.processed_at) AS processed_at
FROM catalog.fund_versions v JOIN catalog.filings f USING (accession)
LEFT JOIN catalog.arrivals a USING (processed_at);

CREATE VIEW catalog.pub_owner AS
SELECT o.accession, o.seq, o.crd, o.schedule, o.name, o.entity_type, o.owned_entity, o.title, o.acquired_year, o.acquired_month,
    o.ownership_code, o.control_person, o.public_reporting, o.owner_id, f.filing_date, f.submitted_at
FROM catalog.owners o JOIN catalog.filings f USING (accession);

CREATE VIEW catalog.pub_offering AS
SELECT o.accession, o.file_number, o.form_type, o.filing_date, o.first_sale, o.exemptions, o.offering_amount, o.indefinite, o.amount_sold,
    o.investor_count, o.status, COALESCE(a.known_at, o.processed_at) AS processed_at, l.fund_id, l.matched_by, f.adviser_crd,
    GREATEST(l.arrival, f.arrival) AS arrival
FROM catalog.offerings o
JOIN catalog.offering_funds l USING (accession)
JOIN catalog.funds f USING (fund_id)
LEFT JOIN catalog.arrivals a USING (processed_at);
