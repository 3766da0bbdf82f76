-- +goose Up
-- A filing of an archive without a table says nothing of what stands in it: a disclosure that it does not name is not one
-- that is no longer reported.
CREATE OR REPLACE VIEW catalog.pub_filing AS
SELECT f.accession, f.crd, f.source, f.form_type, f.amendment_type, f.filing_date, f.submitted_at, f.status,
       coalesce(a.known_at, f.processed_at) AS processed_at, f.arrival, v.silent
FROM catalog.filings f LEFT JOIN catalog.arrivals a USING (processed_at)
LEFT JOIN catalog.adviser_versions v ON v.crd = f.crd AND v.accession = f.accession;

-- +goose Down
DROP VIEW catalog.pub_filing;
CREATE VIEW catalog.pub_filing AS
SELECT f.accession, f.crd, f.source, f.form_type, f.amendment_type, f.filing_date, f.submitted_at, f.status,
       coalesce(a.known_at, f.processed_at) AS processed_at, f.arrival
FROM catalog.filings f LEFT JOIN catalog.arrivals a USING (processed_at);
