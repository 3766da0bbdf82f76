-- Whom the documents of the transaction name in filings that are new or changed, by the document's number: their current rows
-- can be other than before.
CREATE TEMP TABLE b_adviser (crd text COLLATE "C", doc int) ON COMMIT DROP;
CREATE TEMP TABLE b_fund (fund_id text COLLATE "C", doc int) ON COMMIT DROP;
-- Funds that a restated list no longer names.
CREATE TEMP TABLE b_gone (fund_id text COLLATE "C") ON COMMIT DROP;
-- Advisers that a list names otherwise than before.
CREATE TEMP TABLE b_listed (crd text COLLATE "C") ON COMMIT DROP;
