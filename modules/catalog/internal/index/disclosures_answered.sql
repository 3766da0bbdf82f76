-- The managers whose newest complete filing has the tables of all families of disclosures: only of these is "no disclosure" known. The newest day of each is found first, so that only the
-- filings of that day are sorted; MATERIALIZED, so that parallel workers do not each repeat it.
WITH newest AS MATERIALIZED (
	SELECT crd, max(filing_date) AS filing_date FROM catalog.filings WHERE source = 'adv_archive' GROUP BY crd
), filing AS (
	SELECT DISTINCT ON (f.crd) f.crd, f.accession FROM newest JOIN catalog.filings f USING (crd, filing_date)
	WHERE f.source = 'adv_archive'
	ORDER BY f.crd, catalog.order_version(f.source, f.filing_date, f.submitted_at, f.filing_id, f.accession) DESC
)
SELECT f.crd FROM filing f LEFT JOIN catalog.adviser_versions v USING (crd, accession)
WHERE NOT coalesce(v.silent, '{}') && @tables::text[]
