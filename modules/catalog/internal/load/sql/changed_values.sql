-- By field, of registered and of exempt advisers: of the rows that the newest filings in a document and the filings before them (see pairs.sql)
-- both state, how many have another value.
SELECT x.field, f.exempt, count(*) FILTER (WHERE x.stated) AS compared, count(*) FILTER (WHERE x.stated AND x.differs) AS changed
FROM d_pair f
JOIN $staged$ n ON n.accession = f.accession
JOIN $final$ o ON o.crd = f.crd AND o.accession = f.before AND $match$
CROSS JOIN LATERAL (VALUES $fields$) x (field, stated, differs)
GROUP BY 1, 2
