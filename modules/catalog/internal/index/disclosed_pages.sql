-- The disclosure pages of all filings, by manager.
SELECT crd, accession, seq, family, coalesce(reference_id, ''), coalesce(case_number, ''), coalesce(court, initiated_by, ''), event_date,
	CASE WHEN reference_id IS NULL AND case_number IS NULL AND event_date IS NULL THEN md5(lower(coalesce(allegations, summary, ''))) ELSE '' END,
	coalesce(initiator_type, ''), coalesce(initiated_by, ''), items, coalesce(resolution, status, ''), sanctions, monetary_amount
FROM catalog.disclosures
ORDER BY crd
