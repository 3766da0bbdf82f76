SELECT f.address, coalesce(f.etag, '') AS etag, coalesce(f.last_modified, '') AS last_modified, coalesce(f.uploaded_on, '') AS uploaded_on,
	coalesce((SELECT r.id FROM dataops.ingestion_runs r WHERE r.id = f.run_id AND r.state = 'failed'), 0) AS stopped
FROM dataops.fetched f WHERE f.source_name = @source
