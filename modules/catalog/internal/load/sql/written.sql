-- What was written of advisers or funds, with the documents that say otherwise of them, in their order.
SELECT c.$key$, c.what = 'new', array_agg(b.doc ORDER BY b.doc) FILTER (WHERE b.doc IS NOT NULL)
FROM $written$ c LEFT JOIN $noted$ b USING ($key$) WHERE c.what IN ('new', 'changed') GROUP BY c.$key$, c.what
