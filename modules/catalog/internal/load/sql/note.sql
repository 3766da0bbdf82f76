INSERT INTO b_adviser SELECT crd, $doc$, bool_or(state <> 'same') FROM m_filing GROUP BY crd;
INSERT INTO b_fund
SELECT f.fund_id, $doc$, bool_or(m.state <> 'same') FROM s_fund f JOIN m_filing m USING (accession) GROUP BY f.fund_id;
