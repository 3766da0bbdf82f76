WITH named AS (SELECT * FROM unnest(@crds::text[], @days::date[]) AS n(crd, day))
SELECT count(*) AS current, count(*) FILTER (WHERE n.day >= g.latest_filed_on) AS lost
FROM catalog.pub_gp g LEFT JOIN named n USING (crd)
WHERE NOT EXISTS (SELECT 1 FROM catalog.pub_withdrawal w WHERE w.crd = g.crd AND w.is_full AND w.filing_date > g.latest_filed_on)
