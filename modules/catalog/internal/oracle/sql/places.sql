-- The form and the kind of amendment of each form.
CREATE TEMP TABLE n_place ON COMMIT DROP AS
WITH form AS (
    SELECT f.crd, f.accession, f.source, f.filing_date, f.submitted_at, f.filing_id, f.filing_types, v.fiscal_year_end
    FROM catalog.filings f LEFT JOIN catalog.adviser_versions v ON v.crd = f.crd AND v.accession = f.accession
    WHERE f.form_type IN ('ADV', 'ADV/A')
), usual AS (
    SELECT f.crd, (array_agg(f.fiscal_year_end ORDER BY {{oldest}}))[count(*)] AS year_end
    FROM form f WHERE f.fiscal_year_end IS NOT NULL GROUP BY f.crd
), known AS (
    SELECT f.accession, f.filing_date, f.filing_types,
           f.filing_date = min(f.filing_date) OVER (PARTITION BY f.crd)
           AND (f.source <> 'adv_archive' OR 1 = row_number() OVER (
               PARTITION BY f.crd, f.source = 'adv_archive'
               ORDER BY f.filing_date, f.submitted_at, f.filing_id, f.accession COLLATE "C")) AS first,
           (strpos('JANFEBMARAPRMAYJUNJULAUGSEPOCTNOVDEC', upper(left(trim(coalesce(f.fiscal_year_end, u.year_end)), 3))) + 2) / 3 AS month
    FROM form f LEFT JOIN usual u USING (crd)
), dated AS (
    SELECT *, CASE WHEN month > 0 THEN
               (make_date(extract(year FROM filing_date)::int, month, 1) + interval '1 month')::date - 1 END AS year_end
    FROM known
)
SELECT accession, CASE WHEN first THEN 'ADV' ELSE 'ADV/A' END AS form_type,
       CASE
           WHEN first THEN 'initial'
           WHEN filing_types IS NOT NULL THEN
               CASE WHEN 'annual updating amendment' = ANY (filing_types) THEN 'annual' ELSE 'material' END
           WHEN filing_date - CASE WHEN year_end < filing_date THEN year_end
                ELSE (date_trunc('month', year_end - interval '11 months'))::date - 1 END BETWEEN 1 AND 90 THEN 'annual'
           ELSE 'material'
       END AS amendment_type
FROM dated;
