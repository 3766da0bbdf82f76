
UNION ALL
SELECT r.crd, r.filing_date FROM catalog.replaced_versions r
WHERE r.fund_id = '' AND r.processed_at <= @known AND r.replaced_at > @known AND r.filing_date <= @day AND (r.said ->> 'is_full')::boolean
