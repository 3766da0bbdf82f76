-- The metrics of $1, by the rules of docs/figures.md: growth from the stored filings, the figures of the funds from the current
-- ones. It is written apart from the service, for tests and benchmarks. It passes over what the sample does not have: funds that
-- another adviser has reported since, and names with letters beyond ASCII.
WITH filed AS MATERIALIZED (
	SELECT f.accession, f.filing_date, f.source, f.amendment_type, f.funds_listed, v.registration, v.raum, v.employee_count, row_number() OVER (
		ORDER BY f.filing_date, array_position(ARRAY['fund_list', 'roster', 'iapd_feed', 'adv_archive'], f.source), f.submitted_at, f.filing_id NULLS FIRST) AS n
	FROM catalog.filings f JOIN catalog.adviser_versions v ON v.crd = f.crd AND v.accession = f.accession WHERE f.crd = $1),
days AS (
	SELECT filing_date AS day, max(n) AS n, bool_or(source = 'adv_archive') AND bool_and(source <> 'adv_archive' OR amendment_type = 'material') AS amends
	FROM filed GROUP BY 1),
told AS (
	SELECT d.day, d.amends, said.registration, said.employees, CASE said.registration WHEN 'exempt_reporting' THEN (
		SELECT sum(v.gross_asset_value) FROM catalog.fund_versions v WHERE v.accession = (
			SELECT accession FROM filed WHERE funds_listed AND n <= d.n ORDER BY n DESC LIMIT 1)) ELSE said.raum END AS aum
	FROM days d, LATERAL (
		SELECT (array_agg(registration ORDER BY n DESC) FILTER (WHERE registration IS NOT NULL))[1] AS registration,
			(array_agg(raum ORDER BY n DESC) FILTER (WHERE raum IS NOT NULL))[1] AS raum,
			(array_agg(employee_count ORDER BY n DESC) FILTER (WHERE employee_count IS NOT NULL))[1] AS employees
		FROM filed WHERE n <= d.n AND n >= coalesce((SELECT max(n) FROM filed WHERE source = 'adv_archive' AND n <= d.n), 1)) said),
anew AS (
	SELECT day, registration, employees, aum FROM (
		SELECT t.*, lag(day) OVER w IS NOT NULL AND amends AND (registration, employees, aum) IS NOT DISTINCT FROM
			(lag(registration) OVER w, lag(employees) OVER w, lag(aum) OVER w) AS repeats
		FROM told t WINDOW w AS (ORDER BY day)) t
	WHERE NOT repeats),
latest AS (SELECT * FROM anew ORDER BY day DESC LIMIT 1),
rates AS (
	SELECT y.years, CASE WHEN p.day IS NULL THEN 'no_filing' END AS absent, p.day AS since, l.day AS until,
		CASE WHEN (p.registration = 'exempt_reporting') IS TRUE <> (l.registration = 'exempt_reporting') IS TRUE
			THEN CASE WHEN p.registration IS NULL OR l.registration IS NULL THEN 'basis_changed' ELSE 'registration_changed' END
			WHEN p.aum IS NULL OR l.aum IS NULL THEN 'unknown_value' WHEN p.aum <= 0 OR l.aum < 0 THEN 'not_positive' END AS no_aum,
		CASE WHEN p.employees IS NULL OR l.employees IS NULL THEN 'unknown_value' WHEN p.employees <= 0 OR l.employees < 0 THEN 'not_positive' END AS no_staff,
		CASE WHEN p.aum > 0 AND l.aum >= 0 THEN round(((power(l.aum::float8 / p.aum::float8, 365.0::float8 / (l.day - p.day)) - 1) * 100)::numeric, 2) END AS aum,
		CASE WHEN p.employees > 0 AND l.employees >= 0
			THEN round(((power(l.employees::float8 / p.employees::float8, 365.0::float8 / (l.day - p.day)) - 1) * 100)::numeric, 2) END AS staff
	FROM (VALUES (1), (3)) y (years) LEFT JOIN latest l ON true LEFT JOIN LATERAL (
		SELECT * FROM anew WHERE abs(day - (l.day - make_interval(years => y.years))::date) <= 120
		ORDER BY abs(day - (l.day - make_interval(years => y.years))::date), day DESC LIMIT 1) p ON true),
growth AS (
	SELECT years, coalesce(absent, no_aum) AS no_aum, coalesce(absent, no_staff) AS no_staff, CASE WHEN absent IS NULL THEN since END AS since,
		CASE WHEN absent IS NULL THEN until END AS until, CASE WHEN coalesce(absent, no_aum) IS NULL THEN aum END AS aum, staff FROM rates),
named AS (
	SELECT *, regexp_replace(btrim(regexp_replace(replace(regexp_replace(lower(name), '[''.]', '', 'g'), '&', ' and '), '[^a-z0-9]+', ' ', 'g')),
		' (lp|l p|limited partnership|lllp|llp|l l p|llc|l l c|limited liability (company|co|partnership)|((co|company) )?(ltd|limited)|limited company|inc|incorporated' ||
		'|corp|corporation|plc|public limited company|spc( ltd| limited)?|icav|scsp|sca|scs|sicav|sarl|gmbh|sa|ag|bv)$', '') AS whole
	FROM catalog.funds WHERE adviser_crd = $1),
stemmed AS (
	SELECT *, regexp_replace(btrim(regexp_replace(regexp_replace(
		whole, '\m(parallel|offshore|onshore|cayman|luxembourg|lux|delaware|eea|erisa|qp|te)\M', ' ', 'g'), ' +', ' ', 'g')), ' [a-h]$', '') AS stem FROM named),
own AS (
	SELECT * FROM stemmed f WHERE is_feeder IS NOT TRUE AND NOT (
		stem <> whole AND stem <> '' AND (whole ~ '\mparallel\M' OR EXISTS (SELECT FROM stemmed o WHERE o.whole = f.stem)))),
appeared AS (SELECT count(*) AS funds, min(first_filed_on) AS first FROM own),
none_before AS (
	SELECT CASE WHEN (SELECT count(*) FROM catalog.fund_versions v WHERE v.accession = f.accession) = 0 THEN f.filing_date END AS "on"
	FROM filed f, appeared WHERE f.funds_listed AND f.filing_date < first ORDER BY f.n DESC LIMIT 1),
since AS (SELECT funds, coalesce((SELECT "on" FROM none_before), first) AS begin FROM appeared),
launched AS (
	SELECT funds, begin, count(o.first_filed_on) AS launches, count(DISTINCT o.first_filed_on) AS days, max(o.first_filed_on) AS last
	FROM since LEFT JOIN own o ON o.first_filed_on > begin GROUP BY funds, begin),
cadence AS (
	SELECT *, CASE WHEN funds < 2 THEN 'too_few_funds' WHEN launches * 2 < funds THEN 'funds_older_than_data' WHEN days < 2 THEN 'too_few_days' END AS reason FROM launched),
open AS (SELECT vintage_year, gross_asset_value AS gav FROM catalog.funds WHERE adviser_crd = $1 AND status <> 'closed'),
once AS (SELECT gross_asset_value AS gav FROM catalog.funds f WHERE adviser_crd = $1 AND status <> 'closed' AND NOT (is_feeder IS TRUE AND EXISTS (
	SELECT FROM catalog.funds m WHERE m.fund_id = f.master_fund_id AND m.fund_id <> f.fund_id AND m.adviser_crd = $1 AND m.status <> 'closed'
		AND m.gross_asset_value IS NOT NULL AND (m.is_feeder AND m.master_fund_id = f.fund_id) IS NOT TRUE))),
stated AS (
	SELECT DISTINCT ON (f.fund_id, extract(year FROM i.filing_date)) f.fund_id, f.vintage_year, (extract(year FROM i.filing_date) - f.vintage_year)::int AS age,
		v.gross_asset_value AS gav
	FROM own f JOIN catalog.fund_versions v ON v.fund_id = f.fund_id JOIN catalog.filings i ON i.accession = v.accession
	WHERE f.status <> 'closed' AND v.gross_asset_value IS NOT NULL
	ORDER BY f.fund_id, extract(year FROM i.filing_date), i.filing_date DESC, array_position(ARRAY['fund_list', 'roster', 'iapd_feed', 'adv_archive'], i.source) DESC,
		i.submitted_at DESC, i.filing_id DESC NULLS LAST),
ranked AS (SELECT *, dense_rank() OVER (ORDER BY vintage_year) AS n, dense_rank() OVER (ORDER BY vintage_year DESC) AS back FROM stated),
thirds AS (SELECT coalesce(max(n), 0) / 3 AS third, max(age) FILTER (WHERE back = 1) AS reached FROM ranked),
trend AS (
	SELECT age, avg(gav) FILTER (WHERE n <= third) AS oldest, avg(gav) FILTER (WHERE back <= third) AS newest
	FROM ranked, thirds WHERE age BETWEEN 0 AND reached GROUP BY age
	HAVING count(*) FILTER (WHERE n <= third) > 0 AND count(*) FILTER (WHERE back <= third) > 0 ORDER BY age DESC LIMIT 1)
SELECT json_build_object('gp', json_build_object('crd', a.crd, 'legal_name', a.legal_name, 'total_aum', a.total_aum, 'employee_count', a.employee_count),
	'metrics', json_build_object(
		'aum_growth', json_build_object(
			'yoy_percent', year.aum, 'yoy_reason', year.no_aum, 'yoy_from', year.since, 'yoy_to', year.until,
			'cagr_3y_percent', three.aum, 'cagr_reason', three.no_aum, 'cagr_from', three.since, 'cagr_to', three.until),
		'employee_growth', json_build_object(
			'yoy_percent', year.staff, 'yoy_reason', year.no_staff, 'yoy_from', year.since, 'yoy_to', year.until),
		'fund_metrics', json_build_object(
			'fund_count', a.fund_count, 'avg_fund_size_usd', (SELECT floor(avg(gav)) FROM once),
			'avg_fund_size_trend_percent', CASE WHEN oldest > 0 THEN round(100 * (newest - oldest) / oldest, 2) END, 'avg_fund_size_trend_age_years', age,
			'avg_fund_size_trend_reason', CASE WHEN third = 0 THEN 'too_few_vintages' WHEN age IS NULL THEN 'no_common_age' WHEN oldest <= 0 THEN 'not_positive' END,
			'fund_launch_cadence_months', (SELECT CASE WHEN reason IS NULL THEN round((last - begin) / launches::numeric / 30.4375, 2) END FROM cadence),
			'fund_launch_cadence_reason', (SELECT reason FROM cadence),
			'first_vintage', (SELECT min(vintage_year) FROM open), 'latest_vintage', (SELECT max(vintage_year) FROM open))))::text
FROM catalog.advisers a CROSS JOIN thirds LEFT JOIN trend ON true JOIN growth year ON year.years = 1 JOIN growth three ON three.years = 3
WHERE a.crd = $1
