-- +goose Up
-- How the vintage of a fund is known: more than its source said. A list of funds is the first of its day.
ALTER TABLE catalog.funds ADD COLUMN vintage_quality text CHECK (vintage_quality IN ('form_d', 'first_filing', 'list'));
UPDATE catalog.funds f SET vintage_quality = CASE
    WHEN f.vintage_source = 'form_d_first_sale' THEN 'form_d'
    WHEN EXISTS (SELECT FROM catalog.fund_versions v JOIN catalog.filings x USING (accession)
                 WHERE v.fund_id = f.fund_id AND x.filing_date = f.first_filed_on AND x.source = 'fund_list') THEN 'list'
    ELSE 'first_filing'
END;
ALTER TABLE catalog.funds ALTER COLUMN vintage_quality SET NOT NULL, DROP COLUMN vintage_source;

-- +goose Down
ALTER TABLE catalog.funds ADD COLUMN vintage_source text NOT NULL DEFAULT 'first_filing' CHECK (vintage_source IN ('form_d_first_sale', 'first_filing'));
UPDATE catalog.funds SET vintage_source = 'form_d_first_sale' WHERE vintage_quality = 'form_d';
ALTER TABLE catalog.funds ALTER COLUMN vintage_source DROP DEFAULT, DROP COLUMN vintage_quality;
