-- Owners and officers in the schedules of managers, and the related persons in notices of their funds.
SELECT f.crd, o.name, o.entity_type
FROM catalog.filings f JOIN catalog.owners o USING (accession)
WHERE f.crd = ANY (@crds)
UNION
SELECT f.adviser_crd, concat_ws(', ', p.last_name, p.first_name), 'I'
FROM catalog.funds f JOIN catalog.offering_funds l USING (fund_id) JOIN catalog.offering_people p ON p.accession = l.accession
WHERE f.adviser_crd = ANY (@crds) AND NOT p.entity
