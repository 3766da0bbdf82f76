-- The editions of filings that the document restates, before they are overwritten: those that could be seen. One that
-- came in this same transaction could not; its predecessor was stored when it arrived, except for unchanged funds.
CREATE TEMP TABLE m_replaced ON COMMIT DROP AS
SELECT f.accession, f.crd, f.filing_date, f.submitted_at, f.funds_listed, f.processed_at
FROM m_filing m JOIN catalog.filings f USING (accession)
WHERE m.state IN ('changed', 'completed') AND f.processed_at < catalog.current_processing()
UNION ALL
SELECT r.accession, r.crd, r.filing_date, r.submitted_at, r.funds_listed, r.processed_at
FROM m_filing m JOIN catalog.replaced_versions r USING (accession)
WHERE m.state IN ('changed', 'completed') AND r.fund_id = '' AND r.replaced_at = catalog.current_processing();
ANALYZE m_replaced;

-- With it the advisers that it named as related persons under common control, which the grouping reads.
INSERT INTO catalog.replaced_versions (accession, fund_id, crd, said, filing_date, submitted_at, funds_listed, processed_at)
SELECT r.accession, '', r.crd, to_jsonb(v) - 'row_hash' || jsonb_build_object('affiliates', coalesce((
           SELECT jsonb_agg(DISTINCT a.affiliate_crd) FROM catalog.ties a WHERE a.accession = r.accession), '[]')), r.filing_date, r.submitted_at, r.funds_listed, r.processed_at
FROM m_replaced r JOIN catalog.adviser_versions v ON v.crd = r.crd AND v.accession = r.accession
ON CONFLICT DO NOTHING;
