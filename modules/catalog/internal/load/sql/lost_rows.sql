-- By adviser: the rows of a list in its filing before, or in an earlier edition of the same filing, and how many of them its newest filing in
-- the document lacks, whatever new ones it has; and how many of those another filing of the document states.
SELECT f.crd, f.exempt, $list$ AS list, p.accession = f.accession AS again, count(*) AS had, count(*) FILTER (WHERE n.accession IS NULL) AS gone,
    count(*) FILTER (WHERE n.accession IS NULL AND e.key IS NOT NULL) AS elsewhere
FROM (
    SELECT DISTINCT ON (s.crd) s.crd, s.accession, s.submitted_at, s.funds_listed, v.silent, coalesce(v.registration = 'exempt_reporting', false) AS exempt
    FROM s_filing s JOIN s_version v USING (accession)
    ORDER BY s.crd, s.submitted_at DESC, s.filing_id DESC
) f
CROSS JOIN LATERAL (
    SELECT p.accession FROM catalog.filings p
    WHERE p.crd = f.crd AND p.source = 'adv_archive' AND p.submitted_at <= f.submitted_at
    ORDER BY p.accession = f.accession DESC, p.submitted_at DESC, p.filing_id DESC
    LIMIT 1
) p
JOIN $final$ o ON o.accession = p.accession AND $said$
LEFT JOIN (SELECT DISTINCT accession, $key$ AS key FROM $staged$ c) n ON n.accession = f.accession AND n.key = $key of o$
LEFT JOIN (SELECT DISTINCT $key$ AS key FROM $staged$ c) e ON e.key = $key of o$
GROUP BY 1, 2, 3, 4
