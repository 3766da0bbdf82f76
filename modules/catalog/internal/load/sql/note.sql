INSERT INTO b_adviser SELECT DISTINCT crd, $doc$ FROM m_filing WHERE state <> 'same';
INSERT INTO b_fund SELECT DISTINCT f.fund_id, $doc$ FROM s_fund f JOIN m_filing m USING (accession) WHERE m.state <> 'same';
