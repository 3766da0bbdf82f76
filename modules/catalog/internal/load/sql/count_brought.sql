-- Counts the withdrawals that an earlier loading of the document brought, and those of them that this one lacks.
SELECT count(*), (SELECT count(*) FROM m_taken_back WHERE NOT moved)
FROM catalog.filings f
WHERE f.source = 'advw' AND $same document$
