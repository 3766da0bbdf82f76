-- The changes that the transaction makes, as events of platform.changes: what it found (b_before_…) compared with what it leaves.
CREATE TEMP TABLE b_event ON COMMIT DROP AS
WITH cause AS (SELECT catalog.current_arrival() AS arrival, catalog.current_processing() AS processed),
filer AS MATERIALIZED (SELECT DISTINCT crd FROM b_filer),
relisted AS MATERIALIZED (SELECT DISTINCT crd FROM b_relisted EXCEPT SELECT crd FROM b_filer),
adviser AS (
	SELECT e.kind, n.crd, '' AS subject, n.legal_name AS gp_name, NULL::text AS fund_name, NULL::text AS form_type, to_jsonb(e.changed) AS changed,
		CASE WHEN n.crd IN (SELECT crd FROM filer) THEN n.latest_accession ELSE '' END AS accession,
		CASE WHEN n.crd IN (SELECT crd FROM filer) THEN n.latest_filed_on END AS day
	FROM b_before_adviser o JOIN catalog.advisers n USING (crd), LATERAL (VALUES
		('adviser_new', CASE WHEN o.legal_name IS NULL THEN array_remove($adviser_new$, NULL) END),
		('aum_change', CASE WHEN o.legal_name IS NOT NULL THEN array_remove($aum_change$, NULL) END),
		('adviser_change', CASE WHEN o.legal_name IS NOT NULL THEN array_remove($adviser_change$, NULL) END),
		(CASE WHEN num_nonnulls(o.withdrawn_on, o.not_listed_since) = 0 THEN 'adviser_withdrawal'
			WHEN num_nonnulls(n.withdrawn_on, n.not_listed_since) = 0 THEN 'adviser_return' ELSE 'adviser_change' END,
			CASE WHEN o.legal_name IS NOT NULL THEN array_remove($adviser_withdrawal$, NULL) END)
	) e (kind, changed)
	WHERE cardinality(e.changed) > 0
), fund AS (
	SELECT e.kind, n.adviser_crd AS crd, n.fund_id AS subject, a.legal_name AS gp_name, n.name AS fund_name, NULL::text AS form_type, to_jsonb(e.changed) AS changed,
		CASE WHEN n.adviser_crd NOT IN (SELECT crd FROM filer) THEN '' WHEN o.latest_accession IS DISTINCT FROM n.latest_accession THEN n.latest_accession ELSE a.latest_accession END AS accession,
		CASE WHEN n.adviser_crd NOT IN (SELECT crd FROM filer) THEN NULL WHEN o.latest_accession IS DISTINCT FROM n.latest_accession THEN n.latest_filed_on ELSE a.latest_filed_on END AS day
	FROM b_before_fund o JOIN catalog.funds n USING (fund_id) JOIN catalog.advisers a ON a.crd = n.adviser_crd, LATERAL (VALUES
		('new_fund', CASE WHEN o.name IS NULL THEN array_remove($new_fund$, NULL) END),
		('fund_change', CASE WHEN o.name IS NOT NULL THEN array_remove($fund_change$, NULL) END),
		('fund_moved', CASE WHEN o.name IS NOT NULL THEN array_remove($fund_moved$, NULL) END),
		(CASE WHEN n.status = 'closed' THEN 'fund_close' WHEN o.status = 'closed' THEN 'fund_return' ELSE 'fund_change' END,
			CASE WHEN o.name IS NOT NULL THEN array_remove($fund_close$, NULL) END)
	) e (kind, changed)
	WHERE cardinality(e.changed) > 0
), retracted AS ( -- a fund that no filing names any more, because those that did were restated
	SELECT 'retracted' AS kind, o.adviser_crd AS crd, o.fund_id AS subject, a.legal_name AS gp_name, o.name AS fund_name, NULL::text AS form_type,
		to_jsonb(array_remove($retracted$, NULL)) AS changed, '' AS accession, NULL::date AS day
	FROM b_before_fund o JOIN catalog.advisers a ON a.crd = o.adviser_crd LEFT JOIN catalog.funds n USING (fund_id)
	WHERE n.fund_id IS NULL
), filing AS ( -- filings as the activity feed has them: archived forms and joined notices
	SELECT CASE WHEN f.arrival = cause.arrival THEN 'new_filing' ELSE 'filing_restated' END AS kind, f.crd, f.accession AS subject,
		a.legal_name AS gp_name, NULL::text AS fund_name, f.form_type, NULL::jsonb AS changed, f.accession, f.filing_date AS day
	FROM filer JOIN catalog.filings f USING (crd) JOIN catalog.advisers a USING (crd), cause
	WHERE f.processed_at = cause.processed AND f.source = 'adv_archive' AND f.form_type IN ('ADV', 'ADV/A') AND f.status = 'completed'
), touched AS MATERIALIZED (
	SELECT accession FROM b_notice
	UNION SELECT l.accession FROM b_before_fund o JOIN catalog.offering_funds l USING (fund_id) JOIN catalog.funds f USING (fund_id)
	WHERE o.adviser_crd IS DISTINCT FROM f.adviser_crd -- new or moved
), notice AS (
	SELECT CASE WHEN min(greatest(l.arrival, f.arrival)) = cause.arrival THEN 'new_filing' ELSE 'filing_restated' END AS kind, f.adviser_crd AS crd, o.accession AS subject,
		a.legal_name AS gp_name, NULL::text AS fund_name, o.form_type, NULL::jsonb AS changed, o.accession, o.filing_date AS day
	FROM touched JOIN catalog.offerings o USING (accession) JOIN catalog.offering_funds l USING (accession) JOIN catalog.funds f USING (fund_id)
	JOIN catalog.advisers a ON a.crd = f.adviser_crd, cause
	WHERE o.status = 'completed'
	GROUP BY f.adviser_crd, o.accession, o.form_type, o.filing_date, o.processed_at, a.legal_name, cause.arrival, cause.processed
	HAVING min(greatest(l.arrival, f.arrival)) = cause.arrival OR o.processed_at = cause.processed
), correction AS (
	SELECT 'correction' AS kind, coalesce(v.crd, f.adviser_crd) AS crd, coalesce(v.fund_id, '') AS subject, a.legal_name AS gp_name, f.name AS fund_name,
		NULL::text AS form_type, jsonb_build_array(jsonb_build_object('field', $override$ || v.field,
			'before', CASE WHEN v.removed_at IS NOT NULL THEN v.value END, 'after', CASE WHEN v.removed_at IS NULL THEN v.value END)) AS changed,
		'' AS accession, v.valid_from AS day
	FROM cause, catalog.overrides v LEFT JOIN catalog.funds f USING (fund_id) JOIN catalog.advisers a ON a.crd = coalesce(v.crd, f.adviser_crd)
	WHERE $reason$ = 'correction' AND (v.processed_at = cause.processed AND v.removed_at IS NULL OR v.removed_at = cause.processed)
), event AS (
	SELECT * FROM adviser UNION ALL SELECT * FROM fund UNION ALL SELECT * FROM retracted
	UNION ALL SELECT * FROM filing UNION ALL SELECT * FROM notice UNION ALL SELECT * FROM correction
)
SELECT e.kind, e.crd, e.subject, e.accession, e.day, cause.arrival, jsonb_strip_nulls(jsonb_build_object('gp_name', e.gp_name, 'fund_name', e.fund_name,
	'form_type', e.form_type, 'reason', CASE WHEN e.crd IN (SELECT crd FROM relisted) AND $reason$ = 'filing' THEN 'list' ELSE $reason$ END))
	|| CASE WHEN e.changed IS NULL THEN '{}' ELSE jsonb_build_object('changed', e.changed) END AS said
FROM event e, cause
