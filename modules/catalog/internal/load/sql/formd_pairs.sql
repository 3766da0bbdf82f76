-- The notices of a document, each with the one before it that the catalog has: an earlier edition of the same notice, the last one of its file
-- number that is not later, or the one that it names as its predecessor.
DROP TABLE IF EXISTS d_pair;
CREATE TEMP TABLE d_pair ON COMMIT DROP AS
SELECT s.accession AS crd, s.accession, false AS exempt, p.accession AS before
FROM s_offering s
CROSS JOIN LATERAL (
    SELECT p.accession FROM catalog.offerings p
    WHERE p.accession = s.accession
        OR (p.file_number = s.file_number OR p.accession = s.previous_accession) AND p.filing_date <= s.filing_date
    ORDER BY p.accession = s.accession DESC, (p.file_number = s.file_number) IS TRUE DESC, p.filing_date DESC, p.accession DESC
    LIMIT 1
) p;
ANALYZE d_pair
