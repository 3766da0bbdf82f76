-- Deletes the rows of funds that a restated filing does not name any more.
DELETE FROM catalog.$table$ c USING m_filing m
WHERE m.state = 'changed' AND c.accession = m.accession
	AND NOT EXISTS (SELECT 1 FROM catalog.fund_versions v WHERE v.fund_id = c.fund_id AND v.accession = c.accession)
