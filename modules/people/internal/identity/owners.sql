-- Schedules A and B of the filings of some advisers that carry a Schedule A, in the order of filings.
SELECT f.crd, o.accession, f.filing_date, o.schedule, coalesce(o.entity_type, 'I') = 'I' AS individual, o.name, coalesce(o.title, '') AS title,
	coalesce(o.acquired_year, 0) AS acquired_year, coalesce(o.acquired_month, 0) AS acquired_month, coalesce(o.owner_id, '') AS owner_id
FROM catalog.pub_filing f JOIN catalog.pub_owner o ON o.accession = f.accession
WHERE f.crd = ANY (@crds) AND EXISTS (SELECT FROM catalog.pub_owner a WHERE a.accession = f.accession AND a.schedule = 'A')
ORDER BY f.crd, f.filing_date, f.submitted_at, length(f.accession), f.accession, o.schedule, o.seq
