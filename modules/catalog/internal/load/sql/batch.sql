-- The advisers and funds named in new or changed filings of the transaction's documents, by the document's number: their current
-- rows may have changed.
CREATE TEMP TABLE b_adviser (crd text COLLATE "C", doc int) ON COMMIT DROP;
CREATE TEMP TABLE b_fund (fund_id text COLLATE "C", doc int) ON COMMIT DROP;
-- Funds that a restated list no longer names.
CREATE TEMP TABLE b_gone (fund_id text COLLATE "C") ON COMMIT DROP;
-- Advisers whose listing has changed.
CREATE TEMP TABLE b_listed (crd text COLLATE "C") ON COMMIT DROP;
