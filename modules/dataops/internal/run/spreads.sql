SELECT t.key AS table_name, sum((t.value ->> 'Filings')::bigint)::bigint AS filings, sum((t.value ->> 'Rows')::bigint)::bigint AS rows,
       sum((t.value ->> 'Squares')::bigint)::bigint AS squares
FROM dataops.ingestion_runs r, jsonb_each(r.table_rows) AS t
WHERE r.state = 'completed' AND r.series = @series AND (r.edition <= @edition::date OR r.edition IS NULL OR @edition::date IS NULL) AND NOT EXISTS (
		SELECT 1 FROM dataops.ingestion_runs e
		WHERE e.state = 'completed' AND e.series = r.series AND e.sha256 = r.sha256 AND e.edition IS NOT DISTINCT FROM r.edition AND e.id < r.id
	)
GROUP BY t.key
