-- +goose Up
-- The day of the newest notice among a fund's offerings that are not sold out. Searches compare it with today.
ALTER TABLE catalog.funds ADD COLUMN offered_on date;

UPDATE catalog.funds f SET offered_on = n.filing_date
FROM (
    SELECT l.fund_id, max(o.filing_date) AS filing_date
    FROM (
        SELECT DISTINCT ON (chain) accession, filing_date, offering_amount, amount_remaining
        FROM catalog.offerings ORDER BY chain, filing_date DESC, accession DESC
    ) o
    JOIN catalog.offering_funds l USING (accession)
    WHERE (o.offering_amount IS NOT NULL AND o.amount_remaining = 0) IS NOT TRUE
    GROUP BY l.fund_id
) n
WHERE n.fund_id = f.fund_id;

-- The list of all offerings walks along these.
CREATE INDEX offerings_day ON catalog.offerings (filing_date, accession);
CREATE INDEX offerings_amount ON catalog.offerings (coalesce(offering_amount, -1), accession);
CREATE INDEX offerings_sold ON catalog.offerings (coalesce(amount_sold, -1), accession);

-- +goose Down
DROP INDEX catalog.offerings_sold;
DROP INDEX catalog.offerings_amount;
DROP INDEX catalog.offerings_day;
ALTER TABLE catalog.funds DROP COLUMN offered_on;
