SELECT id AS run_id, document, coalesce(edition, '0001-01-01'::date)::timestamp AS edition, coalesce(advisers_seen, 0) AS advisers, layout
FROM dataops.ingestion_runs
WHERE id = ANY (@runs) AND state = 'completed'
