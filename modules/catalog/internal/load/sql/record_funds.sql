-- The versions of funds in the affected advisers' filings, in every edition, in the order of advisers.
SELECT v.crd, v.fund_id, v.accession, $v_columns$, v.silent, false AS unsaid, timestamptz '0001-01-01 00:00:00Z' AS replaced_at
FROM $versions$
UNION ALL
SELECT r.crd, r.fund_id, r.accession, $v_columns$, v.silent, r.said IS NULL, r.replaced_at
FROM t_crd JOIN catalog.replaced_versions r USING (crd),
     jsonb_populate_record(null::catalog.fund_versions, coalesce(r.said, '{"name": ""}')) v
WHERE r.fund_id <> ''
ORDER BY 1
