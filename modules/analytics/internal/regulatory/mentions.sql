SELECT accession, seq, family, coalesce(reference_id, '') AS reference_id, coalesce(case_number, '') AS case_number,
	coalesce(court, initiated_by, '') AS initiator, coalesce(to_char(event_date, 'YYYY-MM-DD'), '') AS event_date,
	CASE WHEN reference_id IS NULL AND case_number IS NULL AND event_date IS NULL
		THEN md5(lower(coalesce(allegations, summary, ''))) ELSE '' END AS text_key
FROM catalog.pub_disclosure WHERE crd = @crd
