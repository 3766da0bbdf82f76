-- Counts the withdrawals of a document by what the catalog knew of them, their advisers, and those whom they change.
SELECT count(*) FILTER (WHERE state = 'new'), count(*) FILTER (WHERE state = 'changed'), count(*) FILTER (WHERE state = 'same'),
	count(DISTINCT crd), (SELECT count(*) FROM c_adviser)
FROM m_withdrawal
