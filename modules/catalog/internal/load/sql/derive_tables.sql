-- Filled by the process, from package fold: the current rows of the affected advisers and funds.
CREATE TEMP TABLE n_adviser ON COMMIT DROP AS SELECT $current_adviser$ FROM catalog.advisers WITH NO DATA;
CREATE TEMP TABLE n_fund ON COMMIT DROP AS SELECT $current_fund$ FROM catalog.funds WITH NO DATA;
CREATE TEMP TABLE d_history (LIKE catalog.adviser_histories) ON COMMIT DROP;
CREATE TEMP TABLE d_record (LIKE catalog.records) ON COMMIT DROP;
-- The forms whose related persons group advisers into organizations, and the keys of names that funds bear no more.
CREATE TEMP TABLE n_form (crd text COLLATE "C", accession text COLLATE "C") ON COMMIT DROP;
CREATE TEMP TABLE d_former (fund_id text COLLATE "C", name_key text COLLATE "C") ON COMMIT DROP;

-- What was written, for the counts.
CREATE TEMP TABLE c_adviser (crd text COLLATE "C", what text) ON COMMIT DROP;
CREATE TEMP TABLE c_fund (fund_id text COLLATE "C", what text) ON COMMIT DROP;
