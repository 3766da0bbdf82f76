-- +goose Up
-- A load dates its rows with one instant of its own, processed_at, later than those of all loads before it. What a load brought
-- became known at the known_at of its arrival, which is dated at its end: an instant knows the loads with that known_at up to
-- it, so it knows the rows up to the latest processed_at of these.
ALTER TABLE catalog.arrivals ADD COLUMN processed_at timestamptz;

-- Editions and publications of loads that brought no filing: known from now on.
INSERT INTO catalog.arrivals (arrival, known_at)
SELECT nextval('catalog.arrival_numbers'), now()
WHERE greatest((SELECT max(processed_at) FROM catalog.editions), (SELECT max(published_at) FROM catalog.publications))
    > coalesce((SELECT max(known_at) FROM catalog.arrivals), '-infinity');
-- Until now a row was dated with the beginning of its load, which is never later than the end.
UPDATE catalog.arrivals SET processed_at = known_at;
ALTER TABLE catalog.arrivals ALTER COLUMN processed_at SET NOT NULL;
ALTER TABLE catalog.arrivals ADD UNIQUE (processed_at);

-- The instant of the load that goes on in this transaction; outside of loads, that of the transaction.
CREATE FUNCTION catalog.current_processing() RETURNS timestamptz LANGUAGE sql STABLE
    RETURN coalesce(nullif(current_setting('catalog.processed_at', true), '')::timestamptz, now());
ALTER TABLE catalog.filings ALTER COLUMN processed_at SET DEFAULT catalog.current_processing();
ALTER TABLE catalog.offerings ALTER COLUMN processed_at SET DEFAULT catalog.current_processing();
ALTER TABLE catalog.editions ALTER COLUMN processed_at SET DEFAULT catalog.current_processing();
ALTER TABLE catalog.replaced_versions ALTER COLUMN replaced_at SET DEFAULT catalog.current_processing();

ALTER TABLE catalog.publications ADD COLUMN arrival bigint NOT NULL DEFAULT 0;
UPDATE catalog.publications p SET arrival = coalesce((SELECT min(a.arrival) FROM catalog.arrivals a WHERE a.known_at >= p.published_at), 0);
ALTER TABLE catalog.publications ALTER COLUMN arrival SET DEFAULT catalog.current_arrival();

-- What is shown as processed_at is when it became known: known_at of that instant knows it.
CREATE OR REPLACE VIEW catalog.pub_filing AS
SELECT f.accession, f.crd, f.source, f.form_type, f.amendment_type, f.filing_date, f.submitted_at, f.status,
       coalesce(a.known_at, f.processed_at) AS processed_at, f.arrival
FROM catalog.filings f LEFT JOIN catalog.arrivals a USING (processed_at);

CREATE OR REPLACE VIEW catalog.pub_fund_filing AS
SELECT v.fund_id, v.crd, f.accession, f.source, f.form_type, f.amendment_type, f.filing_date, f.submitted_at, f.status,
       coalesce(a.known_at, f.processed_at) AS processed_at
FROM catalog.fund_versions v JOIN catalog.filings f USING (accession) LEFT JOIN catalog.arrivals a USING (processed_at);

CREATE OR REPLACE VIEW catalog.pub_offering AS
SELECT o.accession, o.file_number, o.form_type, o.filing_date, o.first_sale, o.exemptions, o.offering_amount, o.indefinite,
       o.amount_sold, o.investor_count, o.status, coalesce(a.known_at, o.processed_at) AS processed_at, l.fund_id, l.matched_by, f.adviser_crd,
       greatest(l.arrival, f.arrival) AS arrival
FROM catalog.offerings o JOIN catalog.offering_funds l USING (accession) JOIN catalog.funds f USING (fund_id)
LEFT JOIN catalog.arrivals a USING (processed_at);

-- +goose Down
CREATE OR REPLACE VIEW catalog.pub_filing AS
SELECT accession, crd, source, form_type, amendment_type, filing_date, submitted_at, status, processed_at, arrival FROM catalog.filings;

CREATE OR REPLACE VIEW catalog.pub_fund_filing AS
SELECT v.fund_id, v.crd, f.accession, f.source, f.form_type, f.amendment_type, f.filing_date, f.submitted_at, f.status, f.processed_at
FROM catalog.fund_versions v JOIN catalog.filings f USING (accession);

CREATE OR REPLACE VIEW catalog.pub_offering AS
SELECT o.accession, o.file_number, o.form_type, o.filing_date, o.first_sale, o.exemptions, o.offering_amount, o.indefinite,
       o.amount_sold, o.investor_count, o.status, o.processed_at, l.fund_id, l.matched_by, f.adviser_crd,
       greatest(l.arrival, f.arrival) AS arrival
FROM catalog.offerings o JOIN catalog.offering_funds l USING (accession) JOIN catalog.funds f USING (fund_id);
ALTER TABLE catalog.publications DROP COLUMN arrival;
ALTER TABLE catalog.filings ALTER COLUMN processed_at SET DEFAULT now();
ALTER TABLE catalog.offerings ALTER COLUMN processed_at SET DEFAULT now();
ALTER TABLE catalog.editions ALTER COLUMN processed_at SET DEFAULT now();
ALTER TABLE catalog.replaced_versions ALTER COLUMN replaced_at SET DEFAULT now();
DROP FUNCTION catalog.current_processing();
ALTER TABLE catalog.arrivals DROP COLUMN processed_at;
