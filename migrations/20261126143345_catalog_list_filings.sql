-- The filings of an adviser as lists show them: its own, and the Form D notices of its funds, each once however many funds it matches.
--
-- A row of a roster, the feed of firms or a list of funds is evidence of a filing of its day. Only the evidence of the highest authority
-- is listed, and none beside the filing itself. A Form ADV-W is a filing of its own.

-- +goose Up
-- Spec: not shown; a Form D notice is initial, its amendment (D/A) material.
CREATE OR REPLACE VIEW catalog.pub_offering AS
SELECT o.accession, o.file_number, o.form_type, o.filing_date, o.first_sale, o.exemptions, o.offering_amount, o.indefinite, o.amount_sold,
    o.investor_count, o.status, COALESCE(a.known_at, o.processed_at) AS processed_at, l.fund_id, l.matched_by, f.adviser_crd,
    GREATEST(l.arrival, f.arrival) AS arrival,
    catalog.order_version('form_d', o.filing_date, o.filing_date::timestamp AT TIME ZONE 'UTC', NULL, o.accession) AS version_order,
    CASE o.form_type WHEN 'D' THEN 'initial' ELSE 'material' END AS amendment_type, o.document
FROM catalog.offerings o
JOIN catalog.offering_funds l USING (accession)
JOIN catalog.funds f USING (fund_id)
LEFT JOIN catalog.arrivals a USING (processed_at);

CREATE OR REPLACE VIEW catalog.pub_filing AS
SELECT f.accession, f.crd, f.source, f.form_type, f.amendment_type, f.filing_date, f.submitted_at, f.status,
    COALESCE(a.known_at, f.processed_at) AS processed_at, f.arrival, v.silent,
    catalog.order_version(f.source, f.filing_date, f.submitted_at, f.filing_id, f.accession) AS version_order,
    f.filing_id, f.funds_listed, f.document
FROM catalog.filings f
LEFT JOIN catalog.arrivals a USING (processed_at)
LEFT JOIN catalog.adviser_versions v ON v.crd = f.crd AND v.accession = f.accession;

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
DROP VIEW catalog.pub_listed_filing, catalog.pub_filing, catalog.pub_offering;

CREATE VIEW catalog.pub_filing AS
SELECT f.accession, f.crd, f.source, f.form_type, f.amendment_type, f.filing_date, f.submitted_at, f.status,
    COALESCE(a.known_at, f.processed_at) AS processed_at, f.arrival, v.silent,
    catalog.order_version(f.source, f.filing_date, f.submitted_at, f.filing_id, f.accession) AS version_order
FROM catalog.filings f
LEFT JOIN catalog.arrivals a USING (processed_at)
LEFT JOIN catalog.adviser_versions v ON v.crd = f.crd AND v.accession = f.accession;

CREATE VIEW catalog.pub_offering AS
SELECT o.accession, o.file_number, o.form_type, o.filing_date, o.first_sale, o.exemptions, o.offering_amount, o.indefinite, o.amount_sold,
    o.investor_count, o.status, COALESCE(a.known_at, o.processed_at) AS processed_at, l.fund_id, l.matched_by, f.adviser_crd,
    GREATEST(l.arrival, f.arrival) AS arrival,
    catalog.order_version('form_d', o.filing_date, o.filing_date::timestamp AT TIME ZONE 'UTC', NULL, o.accession) AS version_order
FROM catalog.offerings o
JOIN catalog.offering_funds l USING (accession)
JOIN catalog.funds f USING (fund_id)
LEFT JOIN catalog.arrivals a USING (processed_at);
