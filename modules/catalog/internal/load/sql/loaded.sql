-- A first load is one event.
CREATE TEMP TABLE b_event ON COMMIT DROP AS
SELECT 'loaded' AS kind, '' AS crd, '' AS subject, '' AS accession, NULL::date AS day, catalog.current_arrival() AS arrival,
	jsonb_build_object('reason', $reason$::text, 'changed', jsonb_build_array(
		jsonb_build_object('field', 'gps', 'before', NULL, 'after', (SELECT count(*) FROM catalog.advisers)),
		jsonb_build_object('field', 'funds', 'before', NULL, 'after', (SELECT count(*) FROM catalog.funds)),
		jsonb_build_object('field', 'filings', 'before', NULL, 'after', (SELECT count(*) FROM catalog.filings)))) AS said
