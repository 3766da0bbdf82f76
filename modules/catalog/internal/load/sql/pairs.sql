-- The newest filing of each adviser in the document, with the filing before it: an earlier edition of the same filing, or the last one of the
-- same source that is not later. Advisers without one are left out.
DROP TABLE IF EXISTS d_pair;
CREATE TEMP TABLE d_pair ON COMMIT DROP AS
SELECT f.crd, f.accession, f.funds_listed, f.silent, f.exempt, p.accession AS before
FROM (
    SELECT DISTINCT ON (s.crd) s.crd, s.accession, s.source, s.filing_date, s.submitted_at, s.funds_listed, v.silent,
        coalesce(v.registration = 'exempt_reporting', false) AS exempt
    FROM s_filing s JOIN s_version v USING (accession)
    ORDER BY s.crd, catalog.order_version(s.source, s.filing_date, s.submitted_at, s.filing_id, s.accession) DESC
) f
CROSS JOIN LATERAL (
    SELECT p.accession FROM catalog.filings p
    WHERE p.crd = f.crd AND p.source = f.source AND (p.filing_date, p.submitted_at) <= (f.filing_date, f.submitted_at)
    ORDER BY p.accession = f.accession DESC, catalog.order_version(p.source, p.filing_date, p.submitted_at, p.filing_id, p.accession) DESC
    LIMIT 1
) p;
ANALYZE d_pair
