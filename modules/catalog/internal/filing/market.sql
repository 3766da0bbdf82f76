-- Filings of all managers, the newest day first, of a day by accession number. A row of a roster, the feed or a
-- list of funds is left out on a day with a better source, as in the view catalog.pub_listed_filing: see catalogapi.Steps.
SELECT f.crd, a.legal_name AS gp_name, f.accession, f.source, f.filing_id, f.form_type, f.amendment_type, f.filing_date, f.submitted_at,
	f.funds_listed, f.document, f.status, f.loaded_at AS processed_at, 0::bigint AS total
FROM (
	SELECT f.*, coalesce(n.known_at, f.processed_at) AS loaded_at
	FROM {{from}} f
	LEFT JOIN catalog.arrivals n ON n.processed_at = f.processed_at
	WHERE (@processed::timestamptz IS NULL OR coalesce(n.known_at, f.processed_at) > @processed)
		AND (f.source IN ('adv_archive', 'advw') OR NOT EXISTS (
			SELECT FROM catalog.filings b WHERE b.crd = f.crd AND b.filing_date = f.filing_date AND b.source <> 'advw'
				AND catalog.authority(b.source) > catalog.authority(f.source)))
	ORDER BY f.filing_date DESC, f.accession DESC LIMIT @limit
) f
JOIN catalog.advisers a ON a.crd = f.crd
ORDER BY f.filing_date DESC, f.accession DESC
