-- Counts a document's withdrawals as new, changed or known, their advisers, and the advisers that they change.
SELECT count(*) FILTER (WHERE state = 'new'), count(*) FILTER (WHERE state = 'changed'), count(*) FILTER (WHERE state = 'same'),
	(SELECT count(*) FROM (SELECT crd FROM m_withdrawal UNION SELECT crd FROM m_taken_back) a), (SELECT count(*) FROM c_adviser)
FROM m_withdrawal
