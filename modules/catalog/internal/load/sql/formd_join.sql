-- Which notices of Form D are of which fund. Only the touched chains are looked at, and all funds that they may be joined
-- to are among the affected ones.
-- By file number: any filing of the fund gave the number of any notice of the chain.
CREATE TEMP TABLE o_number ON COMMIT DROP AS
SELECT DISTINCT chain, n.fund_id
FROM o_touched JOIN catalog.offerings o USING (chain) JOIN catalog.fund_form_d_numbers n USING (file_number) JOIN n_pick USING (fund_id);
ANALYZE o_number;

-- By name, where no number joins the chain. Form D names no adviser, so the name must tell one fund from all others: it is
-- no general one (it has a key), the notice is of a fund and no operating company's, name and legal form are equal, and
-- all funds of that name are of one adviser. Where several advisers have one, or where one of the two names lacks its legal
-- form, the issuer's address must be the main office of one of them. Else there is no join.
-- Spec: not shown; "exact normalised name among the adviser's funds", and Form D does not say who the adviser is.
CREATE TEMP TABLE o_name ON COMMIT DROP AS
WITH issuer AS (
    SELECT DISTINCT t.chain, i.name_key, i.name_form, upper(trim(i.city)) AS city, upper(trim(i.state)) AS state
    FROM o_touched t JOIN catalog.offerings o USING (chain) JOIN catalog.offering_issuers i USING (accession)
    WHERE i.name_key IS NOT NULL AND NOT EXISTS (SELECT 1 FROM o_number n WHERE n.chain = t.chain)
      AND (o.fund_type IS NOT NULL OR lower(o.industry_group) IN ('pooled investment fund', 'investing', 'reits and finance')
           OR 'pooled investment fund' = ANY (o.securities)
           OR EXISTS (SELECT 1 FROM unnest(o.exemptions) AS e (code) WHERE upper(e.code) LIKE '3C%'))
), found AS (
    SELECT i.*, d.fund_id, p.crd, coalesce(d.name_form, '') = i.name_form AS exact,
           coalesce(upper(trim(f.city)) = i.city AND upper(trim(f.state)) = i.state, false) AS near
    FROM issuer i JOIN d_fund d USING (name_key) JOIN n_pick p USING (fund_id) LEFT JOIN n_office f USING (crd)
    WHERE coalesce(d.name_form, '') IN (i.name_form, '') OR i.name_form = ''
), weighed AS (
    SELECT *, bool_or(exact) OVER issuers AS any_exact,
           min(crd) FILTER (WHERE exact) OVER issuers = max(crd) FILTER (WHERE exact) OVER issuers AS one_adviser,
           min(crd) FILTER (WHERE exact AND near) OVER issuers = max(crd) FILTER (WHERE exact AND near) OVER issuers AS one_near,
           count(*) FILTER (WHERE near) OVER issuers AS near_funds
    FROM found WINDOW issuers AS (PARTITION BY chain, name_key, name_form, city, state)
)
SELECT DISTINCT chain, fund_id FROM weighed
WHERE exact AND (one_adviser OR near AND one_near) OR NOT any_exact AND near AND near_funds = 1;
ANALYZE o_name;

CREATE TEMP TABLE o_join ON COMMIT DROP AS
SELECT o.accession, j.fund_id, j.matched_by
FROM (SELECT chain, fund_id, 'file_number' AS matched_by FROM o_number UNION ALL SELECT chain, fund_id, 'name' FROM o_name) j
JOIN catalog.offerings o USING (chain);
ANALYZE o_join;

-- What was written, for the counts.
CREATE TEMP TABLE c_offering (accession text COLLATE "C") ON COMMIT DROP;
WITH w AS (
    DELETE FROM catalog.offering_funds l USING o_touched t JOIN catalog.offerings o USING (chain)
    WHERE l.accession = o.accession
      AND NOT EXISTS (SELECT 1 FROM o_join j WHERE j.accession = l.accession AND j.fund_id = l.fund_id)
    RETURNING l.accession
)
INSERT INTO c_offering SELECT accession FROM w;
WITH w AS (
    INSERT INTO catalog.offering_funds AS l (accession, fund_id, matched_by) SELECT accession, fund_id, matched_by FROM o_join
    $on_conflict$
    RETURNING l.accession
)
INSERT INTO c_offering SELECT accession FROM w;

-- What the notices of a fund say. The newest notice of a chain says under which exemption it is offered, and the newest of
-- the chain that gives a credible date when the first sale was: an amendment restates both. The vintage is the year of
-- the earliest of these dates.
-- Spec: not shown; a date before 1900 or after the day of the notice is no date. Code 06, Rule 506 before September 2013, is
-- today's 506(b). 3C.1 and 3C.7 are not read: is_3c1 and is_3c7 are Form ADV's (package derive holds the same rules).
CREATE TEMP TABLE n_offered ON COMMIT DROP AS
WITH notice AS (
    SELECT l.fund_id, o.chain, o.filing_date, o.accession COLLATE "C" AS accession, o.exemptions,
           CASE WHEN o.first_sale >= '1900-01-01' AND o.first_sale <= o.filing_date THEN o.first_sale END AS sale
    FROM t_fund JOIN catalog.offering_funds l USING (fund_id) JOIN catalog.offerings o USING (accession)
), newest AS (
    SELECT DISTINCT ON (fund_id, chain) fund_id, chain, exemptions FROM notice
    ORDER BY fund_id, chain, filing_date DESC, accession DESC
), sold AS (
    SELECT DISTINCT ON (fund_id, chain) fund_id, chain, sale FROM notice WHERE sale IS NOT NULL
    ORDER BY fund_id, chain, filing_date DESC, accession DESC
), exempt AS (
    SELECT fund_id, array_agg(DISTINCT kind ORDER BY kind) AS exemptions
    FROM newest, LATERAL (
        SELECT CASE lower(trim(code)) WHEN '06' THEN '506b' WHEN '06b' THEN '506b' WHEN '06c' THEN '506c' END AS kind
        FROM unnest(exemptions) AS e (code)
    ) k
    WHERE kind IS NOT NULL GROUP BY fund_id
)
SELECT fund_id, e.exemptions, s.year
FROM exempt e
FULL JOIN (SELECT fund_id, extract(year FROM min(sale))::int AS year FROM sold GROUP BY fund_id) s USING (fund_id);
ANALYZE n_offered;
