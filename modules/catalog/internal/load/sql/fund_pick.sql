-- Each affected fund's newest version, and what all its versions say together.
CREATE TEMP TABLE n_pick ON COMMIT DROP AS
SELECT DISTINCT ON (v.fund_id)
       v.fund_id, v.accession, v.crd, f.filing_date, {{rank}} AS rank, f.submitted_at,
       coalesce(f.filing_id, 0) AS filing_id, f.form_type,
       min(f.filing_date) OVER w AS first_filed_on, max(v.gross_asset_value) OVER w AS peak_gav
FROM t_fund
JOIN catalog.fund_versions v USING (fund_id)
JOIN catalog.filings f USING (accession)
WINDOW w AS (PARTITION BY v.fund_id)
ORDER BY v.fund_id, f.filing_date DESC, {{rank}} DESC, f.submitted_at DESC, coalesce(f.filing_id, 0) DESC, f.accession DESC;
ANALYZE n_pick;

-- Each affected adviser's newest filing that came with its whole list of funds.
CREATE TEMP TABLE n_listed ON COMMIT DROP AS
SELECT DISTINCT ON (f.crd)
       f.crd, f.accession, f.filing_date, {{rank}} AS rank, f.submitted_at, coalesce(f.filing_id, 0) AS filing_id
FROM t_crd JOIN catalog.filings f USING (crd)
WHERE f.funds_listed
ORDER BY f.crd, f.filing_date DESC, {{rank}} DESC, f.submitted_at DESC, coalesce(f.filing_id, 0) DESC, f.accession DESC;
ANALYZE n_listed;

-- Filled by the process, from package derive and package vocab.
CREATE TEMP TABLE d_fund (fund_id text, strategy text, winding_up boolean) ON COMMIT DROP;
CREATE TEMP TABLE d_place (country text, state text, code text) ON COMMIT DROP;
