-- +goose Up
-- A disclosure page has the identity of its matter: who initiated it, and a digest of its text if nothing else identifies it.
DROP VIEW catalog.pub_disclosure;
CREATE VIEW catalog.pub_disclosure AS
SELECT *, coalesce(court, initiated_by, '') AS initiator,
    CASE WHEN reference_id IS NULL AND case_number IS NULL AND event_date IS NULL THEN md5(lower(coalesce(allegations, summary, ''))) ELSE '' END AS text_key
FROM catalog.disclosures;

-- +goose Down
DROP VIEW catalog.pub_disclosure;
CREATE VIEW catalog.pub_disclosure AS
SELECT d.*, f.filing_date, f.submitted_at FROM catalog.disclosures d JOIN catalog.filings f USING (accession);
