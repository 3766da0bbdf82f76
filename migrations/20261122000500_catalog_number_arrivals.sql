-- +goose Up
-- When something became known here, in the order in which it could be seen. Loads hold one lock from the moment they draw
-- their number until they commit, so a higher number is never visible before a lower one. processed_at has no such order:
-- it is the beginning of a transaction, which may wait for another load that began later.
CREATE SEQUENCE catalog.arrival_numbers;
CREATE TABLE catalog.arrivals (
    arrival  bigint PRIMARY KEY,
    known_at timestamptz NOT NULL UNIQUE             -- rises with the number
);

-- The number of the load that goes on in this transaction; 0 outside of loads.
CREATE FUNCTION catalog.current_arrival() RETURNS bigint LANGUAGE sql STABLE
    RETURN coalesce(nullif(current_setting('catalog.arrival', true), '')::bigint, 0);

ALTER TABLE catalog.filings ADD COLUMN arrival bigint NOT NULL DEFAULT 0;
ALTER TABLE catalog.funds ADD COLUMN arrival bigint NOT NULL DEFAULT 0; -- of the fund with its present adviser
ALTER TABLE catalog.offering_funds ADD COLUMN arrival bigint NOT NULL DEFAULT 0;

-- What is there already arrived in the order of its processing.
INSERT INTO catalog.arrivals (arrival, known_at)
SELECT row_number() OVER (ORDER BY processed_at), processed_at
FROM (SELECT processed_at FROM catalog.filings UNION SELECT processed_at FROM catalog.offerings) t;
SELECT setval('catalog.arrival_numbers', (SELECT max(arrival) FROM catalog.arrivals)) WHERE EXISTS (SELECT 1 FROM catalog.arrivals);
UPDATE catalog.filings f SET arrival = a.arrival FROM catalog.arrivals a WHERE a.known_at = f.processed_at;
UPDATE catalog.funds d SET arrival = v.arrival
FROM (SELECT v.fund_id, v.crd, min(f.arrival) AS arrival FROM catalog.fund_versions v JOIN catalog.filings f USING (accession) GROUP BY 1, 2) v
WHERE v.fund_id = d.fund_id AND v.crd = d.adviser_crd;
UPDATE catalog.offering_funds l SET arrival = greatest(a.arrival, d.arrival)
FROM catalog.offerings o, catalog.arrivals a, catalog.funds d
WHERE o.accession = l.accession AND a.known_at = o.processed_at AND d.fund_id = l.fund_id;

ALTER TABLE catalog.filings ALTER COLUMN arrival SET DEFAULT catalog.current_arrival();
ALTER TABLE catalog.funds ALTER COLUMN arrival SET DEFAULT catalog.current_arrival();
ALTER TABLE catalog.offering_funds ALTER COLUMN arrival SET DEFAULT catalog.current_arrival();

CREATE VIEW catalog.pub_arrival AS SELECT arrival, known_at FROM catalog.arrivals;

CREATE OR REPLACE VIEW catalog.pub_filing AS
SELECT accession, crd, source, form_type, amendment_type, filing_date, submitted_at, status, processed_at, arrival FROM catalog.filings;

CREATE OR REPLACE VIEW catalog.pub_fund AS
SELECT id, fund_id, adviser_crd, name, strategy, vintage_year, gross_asset_value, status, first_filed_on, latest_filed_on, arrival
FROM catalog.funds;

-- A notice arrives for an adviser when it is joined to a fund, and when the fund becomes that adviser's.
CREATE OR REPLACE VIEW catalog.pub_offering AS
SELECT o.accession, o.file_number, o.form_type, o.filing_date, o.first_sale, o.exemptions, o.offering_amount, o.indefinite,
       o.amount_sold, o.investor_count, o.status, o.processed_at, l.fund_id, l.matched_by, f.adviser_crd,
       greatest(l.arrival, f.arrival) AS arrival
FROM catalog.offerings o JOIN catalog.offering_funds l USING (accession) JOIN catalog.funds f USING (fund_id);

-- +goose Down
DROP VIEW catalog.pub_offering, catalog.pub_fund, catalog.pub_filing, catalog.pub_arrival;
ALTER TABLE catalog.offering_funds DROP COLUMN arrival;
ALTER TABLE catalog.funds DROP COLUMN arrival;
ALTER TABLE catalog.filings DROP COLUMN arrival;
DROP FUNCTION catalog.current_arrival();
DROP TABLE catalog.arrivals;
DROP SEQUENCE catalog.arrival_numbers;

CREATE VIEW catalog.pub_filing AS
SELECT accession, crd, source, form_type, amendment_type, filing_date, submitted_at, status, processed_at FROM catalog.filings;

CREATE VIEW catalog.pub_fund AS
SELECT id, fund_id, adviser_crd, name, strategy, vintage_year, gross_asset_value, status, first_filed_on, latest_filed_on
FROM catalog.funds;

CREATE VIEW catalog.pub_offering AS
SELECT o.accession, o.file_number, o.form_type, o.filing_date, o.first_sale, o.exemptions, o.offering_amount, o.indefinite,
       o.amount_sold, o.investor_count, o.status, o.processed_at, l.fund_id, l.matched_by, f.adviser_crd
FROM catalog.offerings o JOIN catalog.offering_funds l USING (accession) JOIN catalog.funds f USING (fund_id);
