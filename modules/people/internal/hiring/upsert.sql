INSERT INTO people.postings AS p (crd, vendor, token, posting_id, title, department, location, employment_type, url, posted_at, first_seen, last_seen)
SELECT @crd, @vendor, @token, n.id, n.title, n.department, n.location, n.type, n.url, n.posted, @at, @at
FROM unnest(@ids::text[], @titles::text[], @departments::text[], @locations::text[], @types::text[], @urls::text[], @posted::timestamptz[])
	AS n (id, title, department, location, type, url, posted)
ON CONFLICT (crd, vendor, token, posting_id) DO UPDATE SET title = excluded.title, department = excluded.department, location = excluded.location,
	employment_type = excluded.employment_type, url = excluded.url, posted_at = excluded.posted_at, last_seen = excluded.last_seen, closed_at = NULL
