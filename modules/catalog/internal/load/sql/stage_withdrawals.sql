-- The withdrawals of a document.
CREATE TEMP TABLE s_withdrawal (accession text COLLATE "C", crd text COLLATE "C", filing_id bigint, filing_date date,
	submitted_at timestamptz, is_full boolean, ceased boolean, ceased_on date, reason text, hash bytea) ON COMMIT DROP
