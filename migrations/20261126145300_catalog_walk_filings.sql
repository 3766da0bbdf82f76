-- +goose Up
-- The filings of all managers are read by day. Initial filings and withdrawals are few among the others.
CREATE INDEX filings_day ON catalog.filings (filing_date, accession);
CREATE INDEX filings_seldom ON catalog.filings (amendment_type, filing_date, accession) WHERE amendment_type IN ('initial', 'withdrawal');

-- +goose Down
DROP INDEX catalog.filings_seldom;
DROP INDEX catalog.filings_day;
