-- Whom the documents of the transaction name, by the document's number. touched: with a filing that is new or changed,
-- so that the current row can be other than before; the others are only counted.
CREATE TEMP TABLE b_adviser (crd text COLLATE "C", doc int, touched boolean) ON COMMIT DROP;
CREATE TEMP TABLE b_fund (fund_id text COLLATE "C", doc int, touched boolean) ON COMMIT DROP;
-- Funds that a restated list no longer names.
CREATE TEMP TABLE b_gone (fund_id text COLLATE "C") ON COMMIT DROP;
-- Advisers that a list names otherwise than before.
CREATE TEMP TABLE b_listed (crd text COLLATE "C") ON COMMIT DROP;
