-- A first load is one event.
CREATE TEMP TABLE b_event ON COMMIT DROP AS
SELECT 'loaded' AS kind, '' AS crd, '' AS subject, '' AS accession, NULL::date AS day, catalog.current_arrival() AS arrival,
	jsonb_build_object('reason', $reason$::text, 'gps', (SELECT count(*) FROM catalog.advisers), 'funds', (SELECT count(*) FROM catalog.funds),
		'filings', (SELECT count(*) FROM catalog.filings)) AS said
