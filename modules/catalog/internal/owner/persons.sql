-- Owners and officers in the schedules of a manager, and the related persons in notices of its funds.
SELECT o.name, o.entity_type
FROM catalog.filings f JOIN catalog.owners o USING (accession)
WHERE f.crd = @crd
UNION
SELECT concat_ws(', ', p.last_name, p.first_name), 'I'
FROM catalog.funds f JOIN catalog.offering_funds l USING (fund_id) JOIN catalog.offering_people p ON p.accession = l.accession
WHERE f.adviser_crd = @crd AND NOT p.entity
