-- A fund is closed when its adviser's newest list is newer than the last filing that named it.
-- It is liquidating when its name says so, or when it is at less than a quarter of its peak value in the eighth year
-- after its vintage or later.
CREATE TEMP TABLE n_fund ON COMMIT DROP AS
SELECT p.fund_id, $p_columns$,
       p.crd AS adviser_crd,
       coalesce(p.state, p.country) AS jurisdiction,
       d.country_code,
       d.strategy,
       coalesce(o.year, extract(year FROM p.first_filed_on)::int) AS vintage_year,
       CASE WHEN o.year IS NOT NULL THEN 'form_d' WHEN p.listed_first THEN 'list' ELSE 'first_filing' END AS vintage_quality,
       CASE
           WHEN p.ord < l.ord THEN 'closed'
           WHEN d.winding_up THEN 'liquidating'
           WHEN p.gross_asset_value::numeric * 4 < p.peak_gav
                AND coalesce(o.year, extract(year FROM p.first_filed_on)::int) + 8 <= extract(year FROM $today$::date)::int THEN 'liquidating'
           ELSE 'active'
       END AS status,
       -- The first complete list of the adviser after the last filing that names the fund.
       CASE WHEN p.ord < l.ord THEN (SELECT t.filing_date FROM t_order t WHERE t.crd = p.crd AND t.funds_listed AND t.ord > p.ord ORDER BY t.ord LIMIT 1)
       END AS closed_on,
       o.offered_on,
       p.peak_gav,
       p.first_filed_on,
       p.accession AS latest_accession,
       p.form_type AS latest_form_type,
       p.filing_date AS latest_filed_on,
       o.exemptions, d.name_key, coalesce(d.name_form, '') AS name_form
FROM n_pick p
JOIN d_fund d ON d.fund_id = p.fund_id
LEFT JOIN n_listed l ON l.crd = p.crd
LEFT JOIN n_offered o ON o.fund_id = p.fund_id;
ANALYZE n_fund;
