-- The authority of sources stands once in SQL, beside catalogapi.Authority in Go; versions of advisers are published with their registration,
-- because the assets of exempt and of registered advisers are defined differently.

-- +goose Up
CREATE FUNCTION catalog.authority(source text) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE source WHEN 'fund_list' THEN 0 WHEN 'roster' THEN 1 WHEN 'iapd_feed' THEN 2 ELSE 3 END;

CREATE OR REPLACE FUNCTION catalog.order_version(source text, filing_date date, submitted_at timestamptz, filing_id bigint, accession text)
RETURNS catalog.version_order LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN ROW(filing_date, catalog.authority(source), submitted_at, coalesce(filing_id, 0), accession)::catalog.version_order;

CREATE OR REPLACE VIEW catalog.pub_gp_version AS
SELECT v.crd, v.accession, v.legal_name, v.raum, v.employee_count, f.source, f.filing_date, f.submitted_at,
    catalog.order_version(f.source, f.filing_date, f.submitted_at, f.filing_id, f.accession) AS version_order, v.registration
FROM catalog.adviser_versions v JOIN catalog.filings f USING (crd, accession);

-- +goose Down
DROP VIEW catalog.pub_gp_version;
CREATE VIEW catalog.pub_gp_version AS
SELECT v.crd, v.accession, v.legal_name, v.raum, v.employee_count, f.source, f.filing_date, f.submitted_at,
    catalog.order_version(f.source, f.filing_date, f.submitted_at, f.filing_id, f.accession) AS version_order
FROM catalog.adviser_versions v JOIN catalog.filings f USING (crd, accession);
CREATE OR REPLACE FUNCTION catalog.order_version(source text, filing_date date, submitted_at timestamptz, filing_id bigint, accession text)
RETURNS catalog.version_order LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN ROW(filing_date, CASE source WHEN 'fund_list' THEN 0 WHEN 'roster' THEN 1 WHEN 'iapd_feed' THEN 2 ELSE 3 END, submitted_at,
    coalesce(filing_id, 0), accession)::catalog.version_order;
DROP FUNCTION catalog.authority(text);
