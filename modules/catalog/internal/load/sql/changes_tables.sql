-- The advisers and funds that the transaction writes, as they were before it; of new ones the key only. Columns are those of the tables.
CREATE TEMP TABLE IF NOT EXISTS b_before_adviser ON COMMIT DROP AS SELECT * FROM catalog.advisers WITH NO DATA;
CREATE TEMP TABLE IF NOT EXISTS b_before_fund ON COMMIT DROP AS SELECT * FROM catalog.funds WITH NO DATA;
CREATE UNIQUE INDEX IF NOT EXISTS b_before_adviser_key ON b_before_adviser (crd);
CREATE UNIQUE INDEX IF NOT EXISTS b_before_fund_key ON b_before_fund (fund_id);
-- The advisers with new or changed filings, those whose listing has changed, and notices whose text or joins have.
CREATE TEMP TABLE IF NOT EXISTS b_filer (crd text COLLATE "C") ON COMMIT DROP;
CREATE TEMP TABLE IF NOT EXISTS b_relisted (crd text COLLATE "C") ON COMMIT DROP;
CREATE TEMP TABLE IF NOT EXISTS b_notice (accession text COLLATE "C") ON COMMIT DROP;
