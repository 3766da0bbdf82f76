-- +goose Up
-- The day of the adviser's first complete list after the last filing that names a closed fund. An operator's correction that closes a fund
-- gives the first day on which it holds.
ALTER TABLE catalog.funds ADD COLUMN closed_on date;

WITH standing AS (
    SELECT f.crd, f.accession, f.filing_date, f.funds_listed,
           catalog.order_version(f.source, f.filing_date, f.submitted_at, f.filing_id, f.accession) AS place
    FROM catalog.filings f
    WHERE f.crd IN (SELECT adviser_crd FROM catalog.funds WHERE status = 'closed')
), closing AS (
    SELECT DISTINCT ON (c.fund_id) c.fund_id, l.filing_date
    FROM catalog.funds c
    JOIN standing n ON n.crd = c.adviser_crd AND n.accession = c.latest_accession
    JOIN standing l ON l.crd = c.adviser_crd AND l.funds_listed AND l.place > n.place
    WHERE c.status = 'closed'
    ORDER BY c.fund_id, l.place
)
UPDATE catalog.funds f SET closed_on = c.filing_date FROM closing c WHERE c.fund_id = f.fund_id;

UPDATE catalog.funds f SET closed_on = o.valid_from
FROM catalog.overrides o
WHERE f.status = 'closed' AND f.closed_on IS NULL AND o.fund_id = f.fund_id AND o.field = 'status' AND o.value = 'closed' AND o.removed_at IS NULL;

-- +goose Down
ALTER TABLE catalog.funds DROP COLUMN closed_on;
