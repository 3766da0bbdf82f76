-- What single filings state of an adviser's assets and registration, for module notifications: what changed in a week.

-- +goose Up
CREATE VIEW catalog.pub_adviser_filing AS
SELECT f.accession, f.crd, f.source, f.form_type, f.filing_date, f.submitted_at, f.status, f.funds_listed, f.arrival,
    v.registration, v.status_date, v.raum
FROM catalog.filings f LEFT JOIN catalog.adviser_versions v USING (crd, accession);

-- +goose Down
DROP VIEW catalog.pub_adviser_filing;
