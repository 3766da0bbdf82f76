-- What restated filings said of their advisers; not those of an ADV-W.
SELECT v.accession, {{columns}}
FROM catalog.replaced_versions r, jsonb_populate_record(null::catalog.adviser_versions, r.said) v
WHERE r.crd = ANY (@crds) AND r.fund_id = '' AND r.processed_at <= @known AND r.replaced_at > @known AND r.said ? 'legal_name'
