-- +goose Up
-- Columns of the published views that no other module reads are dropped. A column that is needed is added again by a migration.
DROP VIEW catalog.pub_listed_filing, catalog.pub_adviser_filing, catalog.pub_fund_filing, catalog.pub_gp_version, catalog.pub_offering,
    catalog.pub_offering_person, catalog.pub_owner, catalog.pub_withdrawal;
CREATE VIEW catalog.pub_adviser_filing AS SELECT
    f.accession, f.crd, f.filing_date, f.funds_listed, f.arrival, v.registration, v.status_date, v.raum,
    catalog.order_version(f.source, f.filing_date, f.submitted_at, f.filing_id, f.accession) AS version_order
FROM catalog.filings f LEFT JOIN catalog.adviser_versions v USING (crd, accession);
CREATE VIEW catalog.pub_fund_filing AS SELECT
    v.fund_id, v.crd, f.accession, f.source, f.form_type, f.amendment_type, f.filing_date, f.status,
    coalesce(a.known_at, f.processed_at) AS processed_at,
    catalog.order_version(f.source, f.filing_date, f.submitted_at, f.filing_id, f.accession) AS version_order
FROM catalog.fund_versions v JOIN catalog.filings f USING (accession) LEFT JOIN catalog.arrivals a USING (processed_at);
CREATE VIEW catalog.pub_gp_version AS SELECT
    v.crd, v.accession, v.legal_name, v.raum, f.filing_date,
    catalog.order_version(f.source, f.filing_date, f.submitted_at, f.filing_id, f.accession) AS version_order, v.registration
FROM catalog.adviser_versions v JOIN catalog.filings f USING (crd, accession);
CREATE VIEW catalog.pub_offering AS SELECT
    o.accession, o.form_type, o.filing_date, o.first_sale, o.status, coalesce(a.known_at, o.processed_at) AS processed_at, l.fund_id, f.adviser_crd,
    greatest(l.arrival, f.arrival) AS arrival,
    catalog.order_version('form_d', o.filing_date, o.filing_date::timestamp AT TIME ZONE 'UTC', NULL, o.accession) AS version_order,
    CASE o.form_type WHEN 'D' THEN 'initial' ELSE 'material' END AS amendment_type, o.document
FROM catalog.offerings o JOIN catalog.offering_funds l USING (accession) JOIN catalog.funds f USING (fund_id) LEFT JOIN catalog.arrivals a USING (processed_at);
CREATE VIEW catalog.pub_offering_person AS SELECT
    p.accession, p.seq, p.first_name, p.middle_name, p.last_name, p.entity, p.city, p.state, p.relationships, p.clarification, o.filing_date
FROM catalog.offering_people p JOIN catalog.offerings o USING (accession);
CREATE VIEW catalog.pub_owner AS SELECT
    o.accession, o.seq, o.crd, o.schedule, o.name, o.entity_type, o.title, o.acquired_year, o.acquired_month, o.owner_id, f.filing_date,
    catalog.order_version(f.source, f.filing_date, f.submitted_at, f.filing_id, f.accession) AS version_order
FROM catalog.owners o JOIN catalog.filings f USING (accession);
CREATE VIEW catalog.pub_withdrawal AS SELECT
    w.accession, w.crd, w.is_full, f.filing_date
FROM catalog.withdrawals w JOIN catalog.filings f USING (accession);
CREATE VIEW catalog.pub_listed_filing AS
SELECT crd, accession, source, filing_id, form_type, amendment_type, filing_date, submitted_at, funds_listed, document, status, processed_at, version_order
FROM (
    SELECT *, max((version_order).authority) FILTER (WHERE source <> 'advw') OVER (PARTITION BY crd, filing_date) AS best FROM catalog.pub_filing
) filed
WHERE source = 'advw' OR (version_order).authority = best
UNION ALL
SELECT DISTINCT adviser_crd, accession, 'form_d', NULL::bigint, form_type, amendment_type, filing_date, (version_order).submitted_at, false, document,
    status, processed_at, version_order
FROM catalog.pub_offering;

-- +goose Down
DROP VIEW catalog.pub_listed_filing, catalog.pub_adviser_filing, catalog.pub_fund_filing, catalog.pub_gp_version, catalog.pub_offering,
    catalog.pub_offering_person, catalog.pub_owner, catalog.pub_withdrawal;
CREATE VIEW catalog.pub_adviser_filing AS SELECT
    f.accession, f.crd, f.source, f.form_type, f.filing_date, f.submitted_at, f.status, f.funds_listed, f.arrival, v.registration, v.status_date,
    v.raum, catalog.order_version(f.source, f.filing_date, f.submitted_at, f.filing_id, f.accession) AS version_order
FROM catalog.filings f LEFT JOIN catalog.adviser_versions v USING (crd, accession);
CREATE VIEW catalog.pub_fund_filing AS SELECT
    v.fund_id, v.crd, f.accession, f.source, f.form_type, f.amendment_type, f.filing_date, f.submitted_at, f.status,
    coalesce(a.known_at, f.processed_at) AS processed_at,
    catalog.order_version(f.source, f.filing_date, f.submitted_at, f.filing_id, f.accession) AS version_order
FROM catalog.fund_versions v JOIN catalog.filings f USING (accession) LEFT JOIN catalog.arrivals a USING (processed_at);
CREATE VIEW catalog.pub_gp_version AS SELECT
    v.crd, v.accession, v.legal_name, v.raum, v.employee_count, f.source, f.filing_date, f.submitted_at,
    catalog.order_version(f.source, f.filing_date, f.submitted_at, f.filing_id, f.accession) AS version_order, v.registration
FROM catalog.adviser_versions v JOIN catalog.filings f USING (crd, accession);
CREATE VIEW catalog.pub_offering AS SELECT
    o.accession, o.file_number, o.form_type, o.filing_date, o.first_sale, o.exemptions, o.offering_amount, o.indefinite, o.amount_sold,
    o.investor_count, o.status, coalesce(a.known_at, o.processed_at) AS processed_at, l.fund_id, l.matched_by, f.adviser_crd,
    greatest(l.arrival, f.arrival) AS arrival,
    catalog.order_version('form_d', o.filing_date, o.filing_date::timestamp AT TIME ZONE 'UTC', NULL, o.accession) AS version_order,
    CASE o.form_type WHEN 'D' THEN 'initial' ELSE 'material' END AS amendment_type, o.document
FROM catalog.offerings o JOIN catalog.offering_funds l USING (accession) JOIN catalog.funds f USING (fund_id) LEFT JOIN catalog.arrivals a USING (processed_at);
CREATE VIEW catalog.pub_offering_person AS SELECT
    p.accession, p.seq, p.first_name, p.middle_name, p.last_name, p.entity, p.city, p.state, p.country, p.relationships, p.clarification,
    o.filing_date
FROM catalog.offering_people p JOIN catalog.offerings o USING (accession);
CREATE VIEW catalog.pub_owner AS SELECT
    o.accession, o.seq, o.crd, o.schedule, o.name, o.entity_type, o.owned_entity, o.title, o.acquired_year, o.acquired_month, o.ownership_code,
    o.control_person, o.public_reporting, o.owner_id, f.filing_date, f.submitted_at,
    catalog.order_version(f.source, f.filing_date, f.submitted_at, f.filing_id, f.accession) AS version_order
FROM catalog.owners o JOIN catalog.filings f USING (accession);
CREATE VIEW catalog.pub_withdrawal AS SELECT
    w.accession, w.crd, w.is_full, w.ceased, w.ceased_on, w.reason, f.filing_date
FROM catalog.withdrawals w JOIN catalog.filings f USING (accession);
CREATE VIEW catalog.pub_listed_filing AS
SELECT crd, accession, source, filing_id, form_type, amendment_type, filing_date, submitted_at, funds_listed, document, status, processed_at, version_order
FROM (
    SELECT *, max((version_order).authority) FILTER (WHERE source <> 'advw') OVER (PARTITION BY crd, filing_date) AS best FROM catalog.pub_filing
) filed
WHERE source = 'advw' OR (version_order).authority = best
UNION ALL
SELECT DISTINCT adviser_crd, accession, 'form_d', NULL::bigint, form_type, amendment_type, filing_date, (version_order).submitted_at, false, document,
    status, processed_at, version_order
FROM catalog.pub_offering;
