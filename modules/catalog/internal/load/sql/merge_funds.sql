-- In the order of the primary key, which makes filling it three times faster; where there is none yet, as they come.
INSERT INTO catalog.fund_versions ($all_columns$)
SELECT $f_all_columns$
FROM m_filing m JOIN s_fund f USING (accession)
WHERE m.state = 'new' $order$;

-- The funds of filings that changed.
CREATE TEMP TABLE m_fund ON COMMIT DROP AS
SELECT $f_all_columns$
FROM m_filing m JOIN s_fund f USING (accession)
WHERE m.state = 'changed';
ANALYZE m_fund;
-- Values without a table or column in the document are kept from the filing's earlier edition.
UPDATE m_fund f SET ($columns$, silent) = (
    SELECT $r_columns$, (SELECT array_agg(field) FROM unnest(f.silent) AS s(field) WHERE field = ANY (v.silent))
    FROM jsonb_populate_record(null::catalog.fund_versions, to_jsonb(f) || (
        SELECT jsonb_object_agg(field, to_jsonb(v) -> field) FROM unnest(f.silent) AS s(field))) r)
FROM catalog.fund_versions v
WHERE f.silent IS NOT NULL AND v.fund_id = f.fund_id AND v.accession = f.accession;

-- Earlier statements of restated filings about funds for which they now state something else, or stated nothing.
INSERT INTO catalog.replaced_versions (accession, fund_id, crd, said, filing_date, submitted_at, funds_listed, processed_at)
SELECT r.accession, f.fund_id, r.crd, to_jsonb(v) - 'row_hash', r.filing_date, r.submitted_at, r.funds_listed, r.processed_at
FROM m_replaced r JOIN m_fund f USING (accession)
LEFT JOIN catalog.fund_versions v ON v.fund_id = f.fund_id AND v.accession = f.accession
WHERE v.row_hash IS DISTINCT FROM f.row_hash
UNION ALL
SELECT r.accession, v.fund_id, r.crd, to_jsonb(v) - 'row_hash', r.filing_date, r.submitted_at, r.funds_listed, r.processed_at
FROM m_replaced r JOIN m_filing m USING (accession) JOIN catalog.fund_versions v USING (accession)
WHERE m.funds_listed AND NOT EXISTS (SELECT 1 FROM m_fund f WHERE f.accession = v.accession AND f.fund_id = v.fund_id)
ON CONFLICT DO NOTHING;

-- A restated list that no longer names a fund: the filing never did.
WITH gone AS (
    DELETE FROM catalog.fund_versions v USING m_filing m
    WHERE m.state = 'changed' AND m.funds_listed AND v.accession = m.accession
      AND NOT EXISTS (SELECT 1 FROM m_fund f WHERE f.accession = v.accession AND f.fund_id = v.fund_id)
    RETURNING v.fund_id
)
INSERT INTO b_gone SELECT fund_id FROM gone;

-- A restated filing may have another place in the order of filings, so all its funds are decided again.
INSERT INTO b_gone SELECT v.fund_id FROM m_filing m JOIN catalog.fund_versions v USING (accession) WHERE m.state = 'changed';

UPDATE catalog.fund_versions v
SET (reference_id, $columns$, silent, row_hash) = ROW(f.reference_id, $f_columns$, f.silent, f.row_hash)
FROM m_fund f
WHERE v.fund_id = f.fund_id AND v.accession = f.accession AND v.row_hash <> f.row_hash;

INSERT INTO catalog.fund_versions ($all_columns$)
SELECT $f_all_columns$
FROM m_fund f
WHERE NOT EXISTS (SELECT 1 FROM catalog.fund_versions v WHERE v.fund_id = f.fund_id AND v.accession = f.accession)
ORDER BY f.fund_id COLLATE "C", f.accession COLLATE "C";
