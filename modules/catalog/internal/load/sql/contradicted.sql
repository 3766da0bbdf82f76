-- Of withdrawals with an SEC number that the catalog does not know yet: those whose number is stated in filings, but in none of their
-- adviser, with an adviser that states it, and the number. A text may mean several numbers. An adviser may have had several numbers, so what any filing states counts.
SELECT w.accession, (array_agg(v.crd ORDER BY v.crd, v.sec_number))[1], (array_agg(v.sec_number ORDER BY v.crd, v.sec_number))[1]
FROM unnest(@names::text[], @crds::text[], @numbers::text[]) w (accession, crd, sec_number)
JOIN catalog.adviser_versions v ON v.sec_number = w.sec_number
WHERE NOT EXISTS (SELECT FROM catalog.withdrawals k WHERE k.accession = w.accession)
GROUP BY 1
HAVING bool_and(v.crd <> w.crd)
