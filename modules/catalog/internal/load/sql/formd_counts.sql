-- Counts what a document of notices changed: advisers, funds, joins, and notices that a fund shows.
SELECT
	(SELECT count(*) FROM c_adviser WHERE what = 'changed'),
	(SELECT count(*) FROM c_fund WHERE what = 'changed'),
	(SELECT count(*) FROM c_offering),
	(SELECT count(*) FROM m_offering m WHERE state <> 'same' AND EXISTS (SELECT 1 FROM catalog.offering_funds f WHERE f.accession = m.accession))
