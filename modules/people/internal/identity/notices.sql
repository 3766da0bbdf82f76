-- People whom Form D notices of the funds of some advisers name, firms and mere promoters left out, in the order of notices.
SELECT d.adviser_crd AS crd, p.accession, p.filing_date, coalesce(p.first_name, '') AS first_name, coalesce(p.middle_name, '') AS middle_name,
	p.last_name, coalesce(p.city, '') AS city, coalesce(p.state, '') AS state, coalesce(p.clarification, '') AS clarification,
	coalesce(p.relationships, '{}') AS relationships
FROM (SELECT DISTINCT adviser_crd, accession FROM catalog.pub_offering WHERE adviser_crd = ANY (@crds)) d
JOIN catalog.pub_offering_person p USING (accession)
WHERE NOT p.entity AND p.relationships IS DISTINCT FROM '{Promoter}'
ORDER BY d.adviser_crd, p.filing_date, p.accession, p.seq
