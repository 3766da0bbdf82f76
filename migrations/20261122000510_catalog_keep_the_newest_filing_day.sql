-- +goose Up
-- The day of the newest of all filings of an adviser, as /v1/gps/{crd}/filings lists them: rosters, lists of funds, withdrawals
-- and the notices of Form D that are joined to its funds among them. latest_filed_on is of the newest that describes it.
ALTER TABLE catalog.advisers ADD COLUMN newest_filed_on date;
UPDATE catalog.advisers a SET newest_filed_on = greatest(
    a.latest_filed_on,
    (SELECT max(f.filing_date) FROM catalog.filings f WHERE f.crd = a.crd),
    (SELECT max(o.filing_date) FROM catalog.funds d JOIN catalog.offering_funds l USING (fund_id) JOIN catalog.offerings o USING (accession)
     WHERE d.adviser_crd = a.crd));
ALTER TABLE catalog.advisers ALTER COLUMN newest_filed_on SET NOT NULL;

-- +goose Down
ALTER TABLE catalog.advisers DROP COLUMN newest_filed_on;
