-- The filings of the affected advisers that have tables of their own, and the firms that they name for each fund.
CREATE TEMP TABLE p_filing ON COMMIT DROP AS
SELECT f.crd, f.accession, f.filing_date,
	row_number() OVER (PARTITION BY f.crd ORDER BY catalog.order_version(f.source, f.filing_date, f.submitted_at, f.filing_id, f.accession)) AS place,
	v.silent
FROM t_crd JOIN catalog.filings f USING (crd) JOIN catalog.adviser_versions v ON v.crd = f.crd AND v.accession = f.accession
WHERE f.source = 'adv_archive';
ANALYZE p_filing;

CREATE TEMP TABLE p_served ON COMMIT DROP AS
SELECT p.accession, p.fund_id, array_position($roles$, p.role) - 1 AS role,
	p.name, coalesce(p.crd, '') AS crd, coalesce(p.lei, '') AS lei
FROM p_filing JOIN catalog.fund_providers p USING (accession) WHERE p.role = ANY ($roles$)
UNION ALL
SELECT v.accession, v.fund_id, 0, n.name, '', ''
FROM p_filing f JOIN catalog.fund_versions v ON v.accession = f.accession AND v.crd = f.crd, unnest(v.auditors) n (name);

INSERT INTO catalog.provider_names (name, crd, lei) SELECT DISTINCT name, crd, lei FROM p_served ON CONFLICT DO NOTHING;

CREATE TEMP TABLE p_service ON COMMIT DROP AS
SELECT s.accession, s.fund_id, array_agg(DISTINCT n.id << $bits$ | s.role) AS services
FROM p_served s JOIN catalog.provider_names n USING (name, crd, lei) GROUP BY s.accession, s.fund_id;
DROP TABLE p_served;
ANALYZE p_service;
CREATE TEMP TABLE d_service (LIKE catalog.fund_services) ON COMMIT DROP;
CREATE TEMP TABLE d_provider_change (LIKE catalog.provider_changes) ON COMMIT DROP;
