-- By field, of registered and of exempt advisers: of the rows that a document's newest filing of each adviser and the filing before it both state, how many have another value. The filing
-- before is of the same source: an earlier edition of the same filing, or the last that is not later.
SELECT x.field, f.exempt, count(*) FILTER (WHERE x.stated) AS compared, count(*) FILTER (WHERE x.stated AND x.differs) AS changed
FROM (
    SELECT DISTINCT ON (s.crd) s.crd, s.accession, s.source, s.filing_date, s.submitted_at, coalesce(v.registration = 'exempt_reporting', false) AS exempt
    FROM s_filing s JOIN s_version v USING (accession)
    ORDER BY s.crd, s.filing_date DESC, s.submitted_at DESC, s.filing_id DESC
) f
CROSS JOIN LATERAL (
    SELECT p.accession FROM catalog.filings p
    WHERE p.crd = f.crd AND p.source = f.source AND (p.filing_date, p.submitted_at) <= (f.filing_date, f.submitted_at)
    ORDER BY p.accession = f.accession DESC, p.filing_date DESC, p.submitted_at DESC, p.filing_id DESC
    LIMIT 1
) p
JOIN $staged$ n ON n.accession = f.accession
JOIN $final$ o ON o.crd = f.crd AND o.accession = p.accession AND $match$
CROSS JOIN LATERAL (VALUES $fields$) x (field, stated, differs)
GROUP BY 1, 2
