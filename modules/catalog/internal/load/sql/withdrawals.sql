CREATE TEMP TABLE m_withdrawal ON COMMIT DROP AS
SELECT s.*, CASE WHEN w.accession IS NULL THEN 'new' WHEN w.row_hash = s.row_hash THEN 'same' ELSE 'changed' END AS state
FROM s_withdrawal s LEFT JOIN catalog.withdrawals w USING (accession);
ANALYZE m_withdrawal;

-- The editions that are restated or taken back, before they go: those that could be seen.
INSERT INTO catalog.replaced_versions (accession, fund_id, crd, said, filing_date, submitted_at, funds_listed, processed_at)
SELECT f.accession, '', f.crd, to_jsonb(w) - 'row_hash', f.filing_date, f.submitted_at, f.funds_listed, f.processed_at
FROM (SELECT accession FROM m_withdrawal WHERE state = 'changed' UNION ALL SELECT accession FROM m_taken_back) m
JOIN catalog.withdrawals w USING (accession) JOIN catalog.filings f USING (accession)
WHERE f.processed_at < catalog.current_processing();

DELETE FROM catalog.withdrawals w USING m_taken_back m WHERE w.accession = m.accession;
DELETE FROM catalog.filings f USING m_taken_back m WHERE f.accession = m.accession;

UPDATE catalog.filings f
SET filing_date = m.filing_date, submitted_at = m.submitted_at, document = $document$, run_id = $run$, processed_at = catalog.current_processing()
FROM m_withdrawal m WHERE m.state = 'changed' AND f.accession = m.accession;
UPDATE catalog.withdrawals w
SET is_full = m.is_full, ceased = m.ceased, ceased_on = m.ceased_on, reason = m.reason, row_hash = m.row_hash
FROM m_withdrawal m WHERE m.state = 'changed' AND w.accession = m.accession;

INSERT INTO catalog.filings (accession, crd, source, filing_id, form_type, amendment_type, filing_date, submitted_at,
                             funds_listed, document, run_id)
SELECT accession, crd, 'advw', filing_id, 'ADV-W', 'withdrawal', filing_date, submitted_at, false, $document$, $run$
FROM m_withdrawal WHERE state = 'new' ORDER BY accession COLLATE "C";
INSERT INTO catalog.withdrawals (accession, crd, is_full, ceased, ceased_on, reason, row_hash)
SELECT accession, crd, is_full, ceased, ceased_on, reason, row_hash
FROM m_withdrawal WHERE state = 'new' ORDER BY accession COLLATE "C";

CREATE TEMP TABLE t_crd ON COMMIT DROP AS SELECT crd FROM m_withdrawal WHERE state <> 'same' UNION SELECT crd FROM m_taken_back;
ANALYZE t_crd;
CREATE TEMP TABLE t_fund ON COMMIT DROP AS SELECT f.fund_id FROM catalog.funds f JOIN t_crd t ON t.crd = f.adviser_crd;
ANALYZE t_fund;
-- No joins of Form D change.
CREATE TEMP TABLE o_touched (chain text COLLATE "C") ON COMMIT DROP;
