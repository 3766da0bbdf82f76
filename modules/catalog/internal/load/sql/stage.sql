-- The document as it stands, one table for each that it is merged into.
CREATE TEMP TABLE s_filing (
    accession text COLLATE "C", crd text COLLATE "C", source text, filing_id bigint, filing_date date, submitted_at timestamptz, funds_listed boolean,
    filing_types text[], fiscal_year_end text, document text, run_id bigint, edition date
) ON COMMIT DROP;
CREATE TEMP TABLE s_version ON COMMIT DROP AS SELECT $version_columns$ FROM catalog.adviser_versions WITH NO DATA;
ALTER TABLE s_version ADD COLUMN kept jsonb;
CREATE TEMP TABLE s_fund ON COMMIT DROP AS SELECT $fund_columns$ FROM catalog.fund_versions WITH NO DATA;
